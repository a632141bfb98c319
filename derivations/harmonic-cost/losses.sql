-- Harmonic costs with c0 uniform, which is not the log loss
--
-- Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
-- loss0(p) =
--     0    up to p = 1/3
--     (5 - 3*p)*(3*p - 1)/(72*(1 - p)**2)    up to p = 5/6
--     15/8    up to p = 1
-- loss1(p) =
--     log(10)/9 + 1/2    up to p = 1/3
--     log(1 - p)/9 - log(p)/9 + log(5)/9 + (5 - 6*p)/(9*(1 - p))    up to p = 5/6
--     0    up to p = 1
--
-- Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
--     loss0: within 3.1
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
    WHEN p <= 0.3333333333333333e0 THEN NULL
    WHEN p <= 0.6190807214215468e0 THEN NULL
    WHEN p <= 0.7262070273774399e0 THEN (0.8333333333333334e0 - p - 3.700743415417188e-17 - 0.16068945893383998e0) * 18.669550696758417e0
    WHEN p <= 0.8333333333333333e0 THEN (0.8333333333333334e0 - p - 3.700743415417188e-17 - 0.0535631529779467e0) * 18.66955069675837e0
    WHEN p <= 1.0e0 THEN NULL
  END AS z1
FROM complemented),
fitted AS (SELECT *,
  CASE
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.7262070273774399e0 THEN (((((((((((((((-3.756292762714048e-12 * z1 + 2.2829451196960228e-11) * z1 + -1.24685628404751e-10) * z1 + 7.638051643054527e-10) * z1 + -4.700943432802075e-09) * z1 + 2.879043472240404e-08) * z1 + -1.7637422798474136e-07) * z1 + 1.0812266425602613e-06) * z1 + -6.6321231781270935e-06) * z1 + 4.07300126123525e-05) * z1 + -0.00025033963412664906e0) * z1 + 0.001544193642887212e0) * z1 + -0.009525513884910183e0) * z1 + 0.05971400592552811e0) * z1 + -0.36998686384438123e0) * z1 + 2.6514173811678536e0)
    WHEN p <= 0.8333333333333333e0 THEN ((((((((((((((((((3.674002262774493e-11 * z1 + -1.4888139897102055e-10) * z1 + 4.380230001543506e-10) * z1 + -1.8125885531700398e-09) * z1 + 7.80826877324245e-09) * z1 + -3.211716081640192e-08) * z1 + 1.318216824087269e-07) * z1 + -5.427365322173978e-07) * z1 + 2.2352476650672407e-06) * z1 + -9.207560897784326e-06) * z1 + 3.794342758419468e-05) * z1 + -0.0001564462811857865e0) * z1 + 0.0006455491306040576e0) * z1 + -0.002666718341162337e0) * z1 + 0.011036571302950429e0) * z1 + -0.045798764070700555e0) * z1 + 0.19148532118071676e0) * z1 + -0.8051248108094889e0) * z1 + 3.7430357157271668e0)
  END AS polynomial1
FROM placed),
losses AS (SELECT y, p,
  CASE
    WHEN p = 0 THEN 0.0e0
    WHEN p = 1 THEN 1.875e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.3333333333333333e0 THEN 0.0e0
    WHEN p <= 0.5833388976955081e0 THEN -0.375e0 * (p - 0.3333333333333333e0 - 1.850371707708594e-17) * (3.0e0 * (p - 0.3333333333333333e0 - 1.850371707708594e-17) - 4.0e0) / ((3.0e0 * (p - 0.3333333333333333e0 - 1.850371707708594e-17) - 2.0e0) * (3.0e0 * (p - 0.3333333333333333e0 - 1.850371707708594e-17) - 2.0e0))
    WHEN p <= 0.8333333333333333e0 THEN (5.0e0 - 3.0e0 * p) * (3.0e0 * p - 1.0e0) / (72.0e0 * (q * q))
    WHEN p < 1 THEN 1.875e0
  END AS loss0,
  CASE
    WHEN p = 0 THEN 0.7558427881104495e0
    WHEN p = 1 THEN 0.0e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.3333333333333333e0 THEN 0.7558427881104495e0
    WHEN p <= 0.6190807214215468e0 THEN -0.1111111111111111e0 * (-q * (CASE WHEN q = 1 THEN -p ELSE LN(q) * (p / (1 - q)) END) + q * LN(1.0e0 - q) - 7.6094379124341005e0 * q + 1.0e0) / q
    WHEN p <= 0.8333333333333333e0 THEN polynomial1 * (0.8333333333333334e0 - p - 3.700743415417188e-17)
    WHEN p < 1 THEN 0.0e0
  END AS loss1
FROM fitted)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
