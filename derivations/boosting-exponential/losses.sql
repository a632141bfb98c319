-- Boosting: geometric costs with the log-odds of the threshold uniform on the whole line
--
-- Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
-- loss0(p) =
--     2*b*sqrt(p)/sqrt(1 - p)    up to p = 1
-- loss1(p) =
--     2*b*sqrt(1 - p)/sqrt(p)    up to p = 1
--
-- Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
-- near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
-- digits.
-- At b = 1 they are within 1e-14 of the largest loss, in Python at 283 reports.
--
-- It is a query over a table predictions with columns y, a label 0 or 1, and p.
-- NULL is the loss of what is not a probability.
-- Parameters are columns of the table. NULL is also the loss of those that break a condition above.
-- Written by costderive 0.2.0.

-- In the SQL of duckdb: write it with the option dialect for another system, which may read it otherwise.
WITH given AS (SELECT y, CAST(p AS DOUBLE) AS p, CAST("b" AS DOUBLE) AS "b" FROM predictions),
complemented AS (SELECT *, 1 - p AS q FROM given),
losses AS (SELECT y, p, "b",
  CASE
    WHEN NOT ("b" > 0 AND "b" <= 1.7976931348623157e308) THEN NULL
    WHEN p = 0 THEN 0.0e0
    WHEN p = 1 THEN 9e999
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 1.0e0 / 8.0e0 THEN 2.0e0 * "b" * ((((((((((((((((((0.13206059957155958e0 * p + 0.13583375955931842e0) * p + 0.13994993409141898e0) * p + 0.14446444809436798e0) * p + 0.14944598078727722e0) * p + 0.15498101711273193e0) * p + 0.1611802577972412e0) * p + 0.16818809509277344e0) * p + 0.17619705200195312e0) * p + 0.1854705810546875e0) * p + 0.196380615234375e0) * p + 0.20947265625e0) * p + 0.2255859375e0) * p + 0.24609375e0) * p + 0.2734375e0) * p + 0.3125e0) * p + 0.375e0) * p + 0.5e0) * p + 1.0e0) * SQRT(p)
    WHEN p < 1 THEN 2.0e0 * "b" * SQRT(p) / SQRT(q)
  END AS loss0,
  CASE
    WHEN NOT ("b" > 0 AND "b" <= 1.7976931348623157e308) THEN NULL
    WHEN p = 0 THEN 9e999
    WHEN p = 1 THEN 0.0e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= 7.0e0 / 8.0e0 THEN 2.0e0 * "b" * SQRT(q) / SQRT(p)
    WHEN p < 1 THEN 2.0e0 * "b" * ((((((((((((((((((0.13206059957155958e0 * q + 0.13583375955931842e0) * q + 0.13994993409141898e0) * q + 0.14446444809436798e0) * q + 0.14944598078727722e0) * q + 0.15498101711273193e0) * q + 0.1611802577972412e0) * q + 0.16818809509277344e0) * q + 0.17619705200195312e0) * q + 0.1854705810546875e0) * q + 0.196380615234375e0) * q + 0.20947265625e0) * q + 0.2255859375e0) * q + 0.24609375e0) * q + 0.2734375e0) * q + 0.3125e0) * q + 0.375e0) * q + 0.5e0) * q + 1.0e0) * SQRT(q)
  END AS loss1
FROM complemented)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
