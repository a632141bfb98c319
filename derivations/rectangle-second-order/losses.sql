-- Independent uniform costs on [1, 2] and [1, 3]: bd <= ae
--
-- Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
-- loss0(p) =
--     0    up to p = 1/4
--     (p + 2)*(4*p - 1)**2/(12*p*(1 - p)**2)    up to p = 2/5
--     (41*p - 14)/(12*p)    up to p = 1/2
--     3/2 - (4 - 3*p)*(3*p - 2)**2/(12*p*(1 - p)**2)    up to p = 2/3
--     3/2    up to p = 1
-- loss1(p) =
--     2    up to p = 1/4
--     2 - (4*p - 1)**2*(5*p + 1)/(12*p**2*(1 - p))    up to p = 2/5
--     1/3 + 7*(1 - 2*p)/(12*p**2)    up to p = 1/2
--     (3*p - 2)**2/(6*p**2*(1 - p))    up to p = 2/3
--     0    up to p = 1
--
-- Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
--     loss0: within 3.2
--     loss1: within 2.5
--
-- It is a query over a table predictions with columns y, a label 0 or 1, and p.
-- NULL is the loss of what is not a probability.
-- Written by costderive 0.2.0.

WITH given AS (SELECT y, CAST(p AS DOUBLE) AS p FROM predictions),
complemented AS (SELECT *, 1 - p AS q FROM given),
losses AS (SELECT y, p,
  CASE
    WHEN p = 0 THEN 0.0e0
    WHEN p = 1 THEN 1.5e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.25e0 THEN 0.0e0
    WHEN p <= 0.39999999999999997e0 THEN 64.0e0 * ((p - 0.25e0) * (p - 0.25e0)) * (4.0e0 * (p - 0.25e0) + 9.0e0) / ((p - 0.25e0) * ((p - 0.25e0) * (192.0e0 * (p - 0.25e0) - 240.0e0) + 36.0e0) + 27.0e0)
    WHEN p <= 0.5e0 THEN 0.08333333333333333e0 * (205.0e0 * (p - 0.4e0 + 2.2204460492503132e-17) + 12.0e0) / (5.0e0 * (p - 0.4e0 + 2.2204460492503132e-17) + 2.0e0)
    WHEN p <= 0.6666666666666666e0 THEN 1.5e0 - 0.08333333333333333e0 * (4.0e0 - 3.0e0 * p) * ((3.0e0 * p - 2.0e0) * (3.0e0 * p - 2.0e0)) / (p * (q * q))
    WHEN p < 1 THEN 1.5e0
  END AS loss0,
  CASE
    WHEN p = 0 THEN 2.0e0
    WHEN p = 1 THEN 0.0e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.25e0 THEN 2.0e0
    WHEN p <= 0.39999999999999997e0 THEN 2.0e0 - 0.08333333333333333e0 * ((4.0e0 * p - 1.0e0) * (4.0e0 * p - 1.0e0)) * (5.0e0 * p + 1.0e0) / (p * p * q)
    WHEN p <= 0.5e0 THEN 0.3333333333333333e0 + 0.5833333333333334e0 * (1.0e0 - 2.0e0 * p) / (p * p)
    WHEN p <= 0.6666666666666666e0 THEN -(6.0e0 * (p - 0.5e0) - 1.0e0) * (6.0e0 * (p - 0.5e0) - 1.0e0) / ((p - 0.5e0) * ((p - 0.5e0) * (24.0e0 * (p - 0.5e0) + 12.0e0) - 6.0e0) - 3.0e0)
    WHEN p < 1 THEN 0.0e0
  END AS loss1
FROM complemented)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
