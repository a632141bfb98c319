-- Independent uniform costs on [1, 4] and [2, 3]: ae <= bd
--
-- Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
-- loss0(p) =
--     0    up to p = 1/4
--     (p + 2)*(4*p - 1)**2/(18*p*(1 - p)**2)    up to p = 1/3
--     (16*p**2 + 6*p - 3)/(18*(1 - p)**2)    up to p = 4/7
--     5/2 - 4*(4 - 3*p)*(3*p - 2)**2/(9*p*(1 - p)**2)    up to p = 2/3
--     5/2    up to p = 1
-- loss1(p) =
--     5/2    up to p = 1/4
--     5/2 - (4*p - 1)**2*(5*p + 1)/(18*p**2*(1 - p))    up to p = 1/3
--     (30 - 49*p)/(9*(1 - p))    up to p = 4/7
--     8*(3*p - 2)**2/(9*p**2*(1 - p))    up to p = 2/3
--     0    up to p = 1
--
-- Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
--     loss0: within 3.3
--     loss1: within 3.2
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
    WHEN p <= 0.25e0 THEN NULL
    WHEN p <= 0.3333333333333333e0 THEN NULL
    WHEN p <= 0.5714285714285714e0 THEN NULL
    WHEN p <= 0.603986541118192e0 THEN (p - 0.5714285714285714e0 - 3.172065784643304e-17 - 0.01627898484481033e0) * 61.42889188319355e0
    WHEN p <= 0.6666666666666666e0 THEN NULL
    WHEN p <= 1.0e0 THEN NULL
  END AS z1
FROM complemented),
fitted AS (SELECT *,
  CASE
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.603986541118192e0 THEN ((((((((((4.691043371552855e-14 * z1 + -3.691610207919687e-13) * z1 + 4.064630706489301e-11) * z1 + -5.563185289733746e-10) * z1 + 3.524893604776441e-08) * z1 + -6.028991354039273e-07) * z1 + 2.8415711852532376e-05) * z1 + -0.00048521641938998217e0) * z1 + 0.01777170267915835e0) * z1 + -0.14999189047816652e0) * z1 + 0.35024065448449876e0)
  END AS polynomial1
FROM placed),
losses AS (SELECT y, p,
  CASE
    WHEN p = 0 THEN 0.0e0
    WHEN p = 1 THEN 2.5e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.25e0 THEN 0.0e0
    WHEN p <= 0.3333333333333333e0 THEN 128.0e0 * ((p - 0.25e0) * (p - 0.25e0)) * (4.0e0 * (p - 0.25e0) + 9.0e0) / ((p - 0.25e0) * ((p - 0.25e0) * (576.0e0 * (p - 0.25e0) - 720.0e0) + 108.0e0) + 81.0e0)
    WHEN p <= 0.4796494764940319e0 THEN (144.0e0 * ((p - 0.3333333333333333e0 - 1.850371707708594e-17) * (p - 0.3333333333333333e0 - 1.850371707708594e-17)) + 150.0e0 * (p - 0.3333333333333333e0 - 1.850371707708594e-17) + 7.0e0) / ((p - 0.3333333333333333e0 - 1.850371707708594e-17) * (162.0e0 * (p - 0.3333333333333333e0 - 1.850371707708594e-17) - 216.0e0) + 72.0e0)
    WHEN p <= 0.5714285714285714e0 THEN (16.0e0 * (p * p) + 6.0e0 * p - 3.0e0) / (18.0e0 * q * (q + 2.0e0 * (1.0e0 - q - p)))
    WHEN p <= 0.6666666666666666e0 THEN (783.0e0 * ((0.6666666666666666e0 - p + 3.700743415417188e-17) * (0.6666666666666666e0 - p + 3.700743415417188e-17) * (0.6666666666666666e0 - p + 3.700743415417188e-17)) - 45.0e0 * (0.6666666666666666e0 - p + 3.700743415417188e-17) + 432.0e0 * ((0.6666666666666666e0 - p + 3.700743415417188e-17) * (0.6666666666666666e0 - p + 3.700743415417188e-17)) - 10.0e0) / ((0.6666666666666666e0 - p + 3.700743415417188e-17) * (54.0e0 * ((0.6666666666666666e0 - p + 3.700743415417188e-17) * (0.6666666666666666e0 - p + 3.700743415417188e-17)) - 18.0e0) - 4.0e0)
    WHEN p < 1 THEN 2.5e0
  END AS loss0,
  CASE
    WHEN p = 0 THEN 2.5e0
    WHEN p = 1 THEN 0.0e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.25e0 THEN 2.5e0
    WHEN p <= 0.3333333333333333e0 THEN 2.5e0 - 0.05555555555555555e0 * ((4.0e0 * p - 1.0e0) * (4.0e0 * p - 1.0e0)) * (5.0e0 * p + 1.0e0) / (p * p * q)
    WHEN p <= 0.5714285714285714e0 THEN 0.7777777777777778e0 * (49.0e0 * (0.5714285714285714e0 - p + 3.172065784643304e-17) + 2.0e0) / (7.0e0 * (0.5714285714285714e0 - p + 3.172065784643304e-17) + 3.0e0)
    WHEN p <= 0.603986541118192e0 THEN polynomial1
    WHEN p <= 0.6666666666666666e0 THEN 216.0e0 * ((0.6666666666666666e0 - p + 3.700743415417188e-17) * (0.6666666666666666e0 - p + 3.700743415417188e-17)) / ((0.6666666666666666e0 - p + 3.700743415417188e-17) * (0.6666666666666666e0 - p + 3.700743415417188e-17) * (27.0e0 * (0.6666666666666666e0 - p + 3.700743415417188e-17) - 27.0e0) + 4.0e0)
    WHEN p < 1 THEN 0.0e0
  END AS loss1
FROM fitted)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
