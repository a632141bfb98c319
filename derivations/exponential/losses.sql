-- Independent exponential costs: a tilted Brier score
--
-- Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
-- loss0(p) =
--     m*n**2*p**2/(m + p*(n - m))**2    up to p = 1
-- loss1(p) =
--     m**2*n*(1 - p)**2/(m + p*(n - m))**2    up to p = 1
--
-- Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
-- near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
-- digits.
-- At m = 1, n = 4 they are within 1e-14 of the largest loss, in Python at 283 reports.
--
-- It is a query over a table predictions with columns y, a label 0 or 1, and p.
-- NULL is the loss of what is not a probability.
-- Parameters are columns of the table. NULL is also the loss of those that break a condition above.
-- Written by costderive 0.2.0.

-- In the SQL of duckdb: write it with the option dialect for another system, which may read it otherwise.
WITH given AS (SELECT y, CAST(p AS DOUBLE) AS p, CAST("m" AS DOUBLE) AS "m", CAST("n" AS DOUBLE) AS "n" FROM predictions),
complemented AS (SELECT *, 1 - p AS q FROM given),
losses AS (SELECT y, p, "m", "n",
  CASE
    WHEN NOT ("m" > 0 AND "m" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("n" > 0 AND "n" <= 1.7976931348623157e308) THEN NULL
    WHEN p = 0 THEN 0.0e0
    WHEN p = 1 THEN "m"
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p < 1 THEN "m" * ("n" * "n") * (p * p) / (("m" * q + "n" * p) * ("m" * q + "n" * p))
  END AS loss0,
  CASE
    WHEN NOT ("m" > 0 AND "m" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("n" > 0 AND "n" <= 1.7976931348623157e308) THEN NULL
    WHEN p = 0 THEN "n"
    WHEN p = 1 THEN 0.0e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p < 1 THEN "m" * "m" * "n" * (q * q) / (("m" * q + "n" * p) * ("m" * q + "n" * p))
  END AS loss1
FROM complemented)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
