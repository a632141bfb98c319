-- Harmonic costs: half the log loss
--
-- Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
-- loss0(p) =
--     -log(1 - p)/2    up to p = 1
-- loss1(p) =
--     -log(p)/2    up to p = 1
--
-- Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
--     loss0: within 0.59
--     loss1: within 0.51
--
-- It is a query over a table predictions with columns y, a label 0 or 1, and p.
-- NULL is the loss of what is not a probability.
-- Written by costderive 0.2.0.

WITH given AS (SELECT y, CAST(p AS DOUBLE) AS p FROM predictions),
complemented AS (SELECT *, 1 - p AS q FROM given),
losses AS (SELECT y, p,
  CASE
    WHEN p = 0 THEN 0.0e0
    WHEN p = 1 THEN 9e999
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p < 1 THEN -0.5e0 * (CASE WHEN q = 1 THEN -p ELSE LN(q) * (p / (1 - q)) END)
  END AS loss0,
  CASE
    WHEN p = 0 THEN 9e999
    WHEN p = 1 THEN 0.0e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p < 1 THEN -0.5e0 * LN(p)
  END AS loss1
FROM complemented)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
