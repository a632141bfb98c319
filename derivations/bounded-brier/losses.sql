-- Additive costs, thresholds that a clinician bounds: the bounded-threshold Brier score
--
-- Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
--
-- If h - l > 0 and 1 - h > 0:
-- loss0(p) =
--     0    up to p = l
--     (p - l)*(l + p)/(h - l)    up to p = h
--     h + l    up to p = 1
-- loss1(p) =
--     2 - h - l    up to p = l
--     (p - h)*(h + p - 2)/(h - l)    up to p = h
--     0    up to p = 1
--
-- Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
-- near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
-- digits.
-- At l = 1/20, h = 3/10 they are within 1e-14 of the largest loss, in Python at 287 reports.
--
-- It is a query over a table predictions with columns y, a label 0 or 1, and p.
-- NULL is the loss of what is not a probability.
-- Parameters are columns of the table. NULL is also the loss of those that break a condition above.
-- Written by costderive 0.2.0.

-- In the SQL of duckdb: write it with the option dialect for another system, which may read it otherwise.
WITH given AS (SELECT y, CAST(p AS DOUBLE) AS p, CAST("h" AS DOUBLE) AS "h", CAST("l" AS DOUBLE) AS "l" FROM predictions),
complemented AS (SELECT *, 1 - p AS q FROM given),
losses AS (SELECT y, p, "h", "l",
  CASE
    WHEN NOT ("h" > 0 AND "h" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("l" > 0 AND "l" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("h" - "l" > 0) THEN NULL
    WHEN NOT (1.0e0 - "h" > 0) THEN NULL
    WHEN p = 0 THEN 0.0e0
    WHEN p = 1 THEN "h" + "l"
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= "l" THEN 0.0e0
    WHEN p <= "h" THEN (-"l" + p) * ("l" + p) / ("h" - "l")
    WHEN p < 1 THEN "h" + "l"
  END AS loss0,
  CASE
    WHEN NOT ("h" > 0 AND "h" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("l" > 0 AND "l" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("h" - "l" > 0) THEN NULL
    WHEN NOT (1.0e0 - "h" > 0) THEN NULL
    WHEN p = 0 THEN -"h" - "l" + 2.0e0
    WHEN p = 1 THEN 0.0e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= "l" THEN -"h" - "l" + 2.0e0
    WHEN p <= "h" THEN (-"h" + p) * ("h" + p - 2.0e0) / ("h" - "l")
    WHEN p < 1 THEN 0.0e0
  END AS loss1
FROM complemented)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
