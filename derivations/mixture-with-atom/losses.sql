-- Additive costs, or known ones: a threshold weight with an atom
--
-- Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
--
-- If w > 0 and 1 - w > 0:
-- loss0(p) =
--     p**2*w    up to p = 1/5
--     p**2*w - w + 1    up to p = 1
-- loss1(p) =
--     w*(1 - p)**2 - 4*w + 4    up to p = 1/5
--     w*(1 - p)**2    up to p = 1
--
-- Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
-- near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
-- digits.
-- At w = 2/3 they are within 1e-14 of the largest loss, in Python at 285 reports.
--
-- It is a query over a table predictions with columns y, a label 0 or 1, and p.
-- NULL is the loss of what is not a probability.
-- Parameters are columns of the table. NULL is also the loss of those that break a condition above.
-- Written by costderive 0.2.0.

-- In the SQL of duckdb: write it with the option dialect for another system, which may read it otherwise.
WITH given AS (SELECT y, CAST(p AS DOUBLE) AS p, CAST("w" AS DOUBLE) AS "w" FROM predictions),
complemented AS (SELECT *, 1 - p AS q FROM given),
losses AS (SELECT y, p, "w",
  CASE
    WHEN NOT ("w" > 0 AND "w" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("w" > 0) THEN NULL
    WHEN NOT (1.0e0 - "w" > 0) THEN NULL
    WHEN p = 0 THEN 0.0e0
    WHEN p = 1 THEN 1.0e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 1.0e0 / 5.0e0 THEN p * p * "w"
    WHEN p < 1 THEN p * p * "w" - "w" + 1.0e0
  END AS loss0,
  CASE
    WHEN NOT ("w" > 0 AND "w" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("w" > 0) THEN NULL
    WHEN NOT (1.0e0 - "w" > 0) THEN NULL
    WHEN p = 0 THEN 4.0e0 - 3.0e0 * "w"
    WHEN p = 1 THEN 0.0e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 1.0e0 / 5.0e0 THEN q * q * "w" - 4.0e0 * "w" + 4.0e0
    WHEN p < 1 THEN q * q * "w"
  END AS loss1
FROM complemented)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
