-- Independent Gamma costs of one scale: Beta-weighted thresholds
-- For a = 2, b = 3, theta = 1.
--
-- Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
-- loss0(p) =
--     60*betainc(3, 3, 0, p)    up to p = 1
-- loss1(p) =
--     60*betainc(4, 2, 0, 1 - p)    up to p = 1
--
-- Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
--     loss0: within 1.6
--     loss1: within 1.1
-- Where a formula would cancel, polynomials that were fitted to exact values take its place.
--
-- It is a query over a table predictions with columns y, a label 0 or 1, and p.
-- NULL is the loss of what is not a probability.
-- Written by costderive 0.2.0.

WITH given AS (SELECT y, CAST(p AS DOUBLE) AS p FROM predictions),
complemented AS (SELECT *, 1 - p AS q FROM given),
placed AS (SELECT *,
  CASE
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.5e0 THEN (p - 0.2500000000000003e0) * 3.9999999999999956e0
    WHEN p <= 1.0e0 THEN (q - 0.2500000000000003e0) * 3.9999999999999956e0
  END AS z0,
  CASE
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.2500000000000003e0 THEN (p - 0.12500000000000014e0) * 7.999999999999991e0
    WHEN p <= 0.3750000000000001e0 THEN (p - 0.3125000000000002e0) * 16.00000000000002e0
    WHEN p <= 0.5e0 THEN (p - 0.43750000000000006e0) * 16.000000000000014e0
    WHEN p <= 1.0e0 THEN (q - 0.2500000000000003e0) * 3.9999999999999956e0
  END AS z1
FROM complemented),
fitted AS (SELECT *,
  CASE
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.5e0 THEN ((0.7500000000000017e0 * z0 + -6.000000000000005e0) * z0 + 13.249999999999993e0)
    WHEN p <= 1.0e0 THEN (((((-0.011718750000000066e0 * z0 + 0.058593750000000194e0) * z0 + 0.03906250000000039e0) * z0 + -0.35156250000000067e0) * z0 + -0.5273437500000013e0) * z0 + 1.7929687499999993e0)
  END AS polynomial0,
  CASE
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.2500000000000003e0 THEN (((((0.00036621093750000206e0 * z1 + -0.009155273437500038e0) * z1 + 0.07690429687500022e0) * z1 + -0.17944335937500014e0) * z1 + -0.6280517578125011e0) * z1 + 2.637817382812499e0)
    WHEN p <= 0.3750000000000001e0 THEN (((((1.1444091796874924e-05 * z1 + -0.00040054321289062267e0) * z1 + 0.003776550292968729e0) * z1 + 0.013847351074218753e0) * z1 + -0.380802154541015e0) * z1 + 1.5079765319824205e0)
    WHEN p <= 0.5e0 THEN (((((1.144409179687495e-05 * z1 + -0.0002861022949218739e0) * z1 + 0.0010299682617187463e0) * z1 + 0.027809143066406205e0) * z1 + -0.2919960021972653e0) * z1 + 0.8259315490722654e0)
    WHEN p <= 1.0e0 THEN (-3.0000000000000036e0 * z1 + 11.999999999999996e0)
  END AS polynomial1
FROM placed),
losses AS (SELECT y, p,
  CASE
    WHEN p = 0 THEN 0.0e0
    WHEN p = 1 THEN 2.0e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.5e0 THEN polynomial0 * p * p * p
    WHEN p < 1 THEN polynomial0
  END AS loss0,
  CASE
    WHEN p = 0 THEN 3.0e0
    WHEN p = 1 THEN 0.0e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.5e0 THEN polynomial1
    WHEN p < 1 THEN polynomial1 * q * q * q * q
  END AS loss1
FROM fitted)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
