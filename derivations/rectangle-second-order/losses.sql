-- Independent uniform costs on [1, 2] and [1, 3]: bd <= ae
--
-- Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
-- loss0(p) =
--     0    up to p = 1/4
--     (p + 2)*(4*p - 1)**2/(12*p*(1 - p)**2)    up to p = 2/5
--     (41*p - 14)/(12*p)    up to p = 1/2
--     (45*p**3 - 108*p**2 + 78*p - 16)/(12*p*(1 - p)**2)    up to p = 2/3
--     3/2    up to p = 1
-- loss1(p) =
--     2    up to p = 1/4
--     2 - (4*p - 1)**2*(5*p + 1)/(12*p**2*(1 - p))    up to p = 2/5
--     1/3 + 7*(1 - 2*p)/(12*p**2)    up to p = 1/2
--     (3*p - 2)**2/(6*p**2*(1 - p))    up to p = 2/3
--     0    up to p = 1
--
-- Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
--     loss0: within 3.3
--     loss1: within 2.8
-- Where a formula would cancel, polynomials that were fitted to exact values take its place.
--
-- It is a query over a table predictions with columns y, a label 0 or 1, and p.
-- NULL is the loss of what is not a probability.
-- Written by costderive 0.1.0.

WITH given AS (SELECT y, CAST(p AS DOUBLE) AS p FROM predictions),
complemented AS (SELECT *, 1 - p AS r FROM given),
placed AS (SELECT *,
  CASE
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.25e0 THEN NULL
    WHEN p <= 0.325e0 THEN (p - 0.25e0 - 0.03750000000000005e0) * 26.666666666666632e0
    WHEN p <= 0.3625e0 THEN (0.4e0 - p - 2.2204460492503132e-17 - 0.056249999999999994e0) * 53.33333333333338e0
    WHEN p <= 0.39999999999999997e0 THEN (0.4e0 - p - 2.2204460492503132e-17 - 0.018750000000000017e0) * 53.333333333333286e0
    WHEN p <= 0.5e0 THEN NULL
    WHEN p <= 0.6666666666666666e0 THEN NULL
    WHEN p <= 1.0e0 THEN NULL
  END AS z0
FROM complemented),
fitted AS (SELECT *,
  CASE
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.325e0 THEN ((((((((((((((4.098344741264284e-12 * z0 + -3.128250393755371e-11) * z0 + 2.245333250805572e-10) * z0 + -1.7206803878347755e-09) * z0 + 1.3236151192709485e-08) * z0 + -1.0110767479137878e-07) * z0 + 7.814980174272296e-07) * z0 + -5.883078020153265e-06) * z0 + 4.692827981609282e-05) * z0 + -0.00032958085564645815e0) * z0 + 0.003015778745158335e0) * z0 + -0.01544241411139618e0) * z0 + 0.23365080030746496e0) * z0 + -0.18344118127742434e0) * z0 + 20.89739986885597e0)
    WHEN p <= 0.3625e0 THEN (((((((((((5.645068738423191e-15 * z0 + 1.3244577948070461e-13) * z0 + 1.4962616808718846e-12) * z0 + 5.58247305536865e-11) * z0 + 1.5345239398932663e-10) * z0 + 2.8933321430316892e-08) * z0 + -2.3217939243923634e-07) * z0 + 1.7129996354733406e-05) * z0 + -0.00024879944647909877e0) * z0 + 0.00863952566721041e0) * z0 + -0.07617762571380376e0) * z0 + 0.1855287569573284e0)
    WHEN p <= 0.39999999999999997e0 THEN ((((((((((7.403593574585117e-14 * z0 + -3.722996149175141e-13) * z0 + 4.739800694095178e-11) * z0 + -6.283155369440962e-10) * z0 + 3.240849971753064e-08) * z0 + -5.894078465225999e-07) * z0 + 2.1202883715929923e-05) * z0 + -0.0003997638041441809e0) * z0 + 0.010568952009557092e0) * z0 + -0.11429359676187494e0) * z0 + 0.37471586204820173e0)
  END AS polynomial0
FROM placed),
losses AS (SELECT y, p,
  CASE
    WHEN p = 0 THEN 0.0e0
    WHEN p = 1 THEN 1.5e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.25e0 THEN 0.0e0
    WHEN p <= 0.325e0 THEN polynomial0 * (p - 0.25e0) * (p - 0.25e0)
    WHEN p <= 0.39999999999999997e0 THEN polynomial0
    WHEN p <= 0.5e0 THEN 0.08333333333333333e0 * (205.0e0 * (p - 0.4e0 + 2.2204460492503132e-17) + 12.0e0) / (5.0e0 * (p - 0.4e0 + 2.2204460492503132e-17) + 2.0e0)
    WHEN p <= 0.6666666666666666e0 THEN 0.08333333333333333e0 * (360.0e0 * ((p - 0.5e0) * (p - 0.5e0) * (p - 0.5e0)) - 324.0e0 * ((p - 0.5e0) * (p - 0.5e0)) + 30.0e0 * (p - 0.5e0) + 13.0e0) / ((2.0e0 * (p - 0.5e0) - 1.0e0) * (2.0e0 * (p - 0.5e0) - 1.0e0) * (2.0e0 * (p - 0.5e0) + 1.0e0))
    WHEN p < 1 THEN 1.5e0
  END AS loss0,
  CASE
    WHEN p = 0 THEN 2.0e0
    WHEN p = 1 THEN 0.0e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.25e0 THEN 2.0e0
    WHEN p <= 0.39999999999999997e0 THEN 2.0e0 - 0.08333333333333333e0 * ((4.0e0 * p - 1.0e0) * (4.0e0 * p - 1.0e0)) * (5.0e0 * p + 1.0e0) / (p * p * r)
    WHEN p <= 0.5e0 THEN 0.3333333333333333e0 + 0.5833333333333334e0 * (1.0e0 - 2.0e0 * p) / (p * p)
    WHEN p <= 0.6666666666666666e0 THEN -((6.0e0 * (p - 0.5e0) - 1.0e0) * (6.0e0 * (p - 0.5e0) - 1.0e0)) / (3.0e0 * (2.0e0 * (p - 0.5e0) - 1.0e0) * ((2.0e0 * (p - 0.5e0) + 1.0e0) * (2.0e0 * (p - 0.5e0) + 1.0e0)))
    WHEN p < 1 THEN 0.0e0
  END AS loss1
FROM fitted)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
