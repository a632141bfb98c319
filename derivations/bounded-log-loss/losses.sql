-- Harmonic costs, thresholds between bounds: the bounded log loss
--
-- Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
-- loss0(p) =
--     0    up to p = 1/10
--     5*log(9/10)/2 - 5*log(1 - p)/2    up to p = 1/2
--     5*log(9/5)/2    up to p = 1
-- loss1(p) =
--     5*log(5)/2    up to p = 1/10
--     -5*log(p)/2 - 5*log(2)/2    up to p = 1/2
--     0    up to p = 1
--
-- Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
--     loss0: within 2.5
--     loss1: within 2.7
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
    WHEN p <= 0.09999999999999999e0 THEN NULL
    WHEN p <= 0.260032411377518e0 THEN (p - 0.1e0 + 5.551115123125783e-18 - 0.08001620568875907e0) * 12.49746837396569e0
    WHEN p <= 0.5e0 THEN NULL
    WHEN p <= 1.0e0 THEN NULL
  END AS z0,
  CASE
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.09999999999999999e0 THEN NULL
    WHEN p <= 0.3351680274053409e0 THEN NULL
    WHEN p <= 0.5e0 THEN (0.5e0 - p - 0.08241598629732964e0) * 12.133568315160732e0
    WHEN p <= 1.0e0 THEN NULL
  END AS z1
FROM complemented),
fitted AS (SELECT *,
  CASE
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.260032411377518e0 THEN ((((((((((((1.6503947668264632e-13 * z0 + 1.828794257758253e-12) * z0 + 1.9913145097954827e-11) * z0 + 2.2463827499666507e-10) * z0 + 2.5606169086034034e-09) * z0 + 2.9550402537405128e-08) * z0 + 3.465231954414491e-07) * z0 + 4.149690137940935e-06) * z0 + 5.11414406527757e-05) * z0 + 0.0006571186992129443e0) * z0 + 0.009020284885827198e0) * z0 + 0.13973672081888322e0) * z0 + 2.909104021332511e0)
  END AS polynomial0,
  CASE
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.5e0 THEN (((((((((((((((9.838434795878603e-12 * z1 + 5.2685352994125583e-11) * z1 + 2.4652423781789213e-10) * z1 + 1.3482260923344139e-09) * z1 + 7.472592599769113e-09) * z1 + 4.1346244955868234e-08) * z1 + 2.3068464467326155e-07) * z1 + 1.3007297886199484e-06) * z1 + 7.428564141377301e-06) * z1 + 4.311940294278882e-05) * z1 + 0.00025568216757908583e0) * z1 + 0.001561073501883253e0) * z1 + 0.009945312554576527e0) * z1 + 0.06778852022224591e0) * z1 + 0.5230023084100824e0) * z1 + 5.463816913505962e0)
  END AS polynomial1
FROM placed),
losses AS (SELECT y, p,
  CASE
    WHEN p = 0 THEN 0.0e0
    WHEN p = 1 THEN 1.4694666622552974e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.09999999999999999e0 THEN 0.0e0
    WHEN p <= 0.260032411377518e0 THEN polynomial0 * (p - 0.1e0 + 5.551115123125783e-18)
    WHEN p <= 0.5e0 THEN -2.5e0 * (CASE WHEN q = 1 THEN -p ELSE LN(q) * (p / (1 - q)) END) - 0.26340128914456573e0
    WHEN p < 1 THEN 1.4694666622552974e0
  END AS loss0,
  CASE
    WHEN p = 0 THEN 4.023594781085251e0
    WHEN p = 1 THEN 0.0e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.09999999999999999e0 THEN 4.023594781085251e0
    WHEN p <= 0.3351680274053409e0 THEN -2.5e0 * LN(p) - 1.7328679513998633e0
    WHEN p <= 0.5e0 THEN polynomial1 * (0.5e0 - p)
    WHEN p < 1 THEN 0.0e0
  END AS loss1
FROM fitted)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
