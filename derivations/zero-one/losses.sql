-- Costs of 1 at the threshold 1/2: the 0/1 loss, proper and nowhere strictly
--
-- Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
-- loss0(p) =
--     0    up to p = 1/2
--     1    up to p = 1
-- loss1(p) =
--     1    up to p = 1/2
--     0    up to p = 1
--
-- Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
--     loss0: exact
--     loss1: exact
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
    WHEN p <= 0.5e0 THEN 0.0e0
    WHEN p < 1 THEN 1.0e0
  END AS loss0,
  CASE
    WHEN p = 0 THEN 1.0e0
    WHEN p = 1 THEN 0.0e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 0.5e0 THEN 1.0e0
    WHEN p < 1 THEN 0.0e0
  END AS loss1
FROM complemented)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
