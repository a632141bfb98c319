-- Independent uniform costs from 0, with unequal upper bounds
--
-- Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
-- loss0(p) =
--     3*p**2/(4*(1 - p)**2)    up to p = 2/5
--     (13*p - 4)/(9*p)    up to p = 1
-- loss1(p) =
--     3*(1 - 2*p)/(2*(1 - p))    up to p = 2/5
--     2*(1 - p)**2/(9*p**2)    up to p = 1
--
-- Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
--     loss0: within 2.8
--     loss1: within 3
--
-- It is a query over a table predictions with columns y, a label 0 or 1, and p.
-- NULL is the loss of what is not a probability.
-- Written by costderive 0.2.0.

WITH given AS (SELECT y, CAST(p AS DOUBLE) AS p FROM predictions),
complemented AS (SELECT *, 1 - p AS q FROM given),
losses AS (SELECT y, p,
  CASE
    WHEN p = 0 THEN 0.0e0
    WHEN p = 1 THEN 1.0e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.39999999999999997e0 THEN 0.75e0 * (p * p) / (q * (q + 2.0e0 * (1.0e0 - q - p)))
    WHEN p < 1 THEN (13.0e0 * p - 4.0e0) / (9.0e0 * p)
  END AS loss0,
  CASE
    WHEN p = 0 THEN 1.5e0
    WHEN p = 1 THEN 0.0e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.39999999999999997e0 THEN 1.5e0 * (1.0e0 - 2.0e0 * p) / q
    WHEN p < 1 THEN 0.2222222222222222e0 * q * (q + 2.0e0 * (1.0e0 - q - p)) / (p * p)
  END AS loss1
FROM complemented)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
