-- Boosting: geometric costs with the log-odds of the threshold uniform on the whole line
--
-- Written by costderive 0.1.0. p is the probability of class 1.
--
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
-- It is a query over a table predictions with columns y, a label 0 or 1, p, and one for each parameter.
-- NULL is the loss of what is not a probability, and of parameters of which a condition above does not hold.

WITH given AS (SELECT y, CAST(p AS DOUBLE) AS p, CAST("b" AS DOUBLE) AS "b" FROM predictions),
losses AS (SELECT y, p, "b",
  CASE
    WHEN NOT ("b" > 0 AND "b" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT (p >= 0 AND p <= 1) THEN NULL
    ELSE
      CASE
        WHEN p = 0 THEN 0.0e0
        WHEN p = 1 THEN CAST('Infinity' AS DOUBLE)
        WHEN p <= 1.0e0 / 8.0e0 THEN (2.0e0 * "b") * ((((((((((((((((((0.13206059957155958e0 * (p) + 0.13583375955931842e0) * (p) + 0.13994993409141898e0) * (p) + 0.14446444809436798e0) * (p) + 0.14944598078727722e0) * (p) + 0.15498101711273193e0) * (p) + 0.1611802577972412e0) * (p) + 0.16818809509277344e0) * (p) + 0.17619705200195312e0) * (p) + 0.1854705810546875e0) * (p) + 0.196380615234375e0) * (p) + 0.20947265625e0) * (p) + 0.2255859375e0) * (p) + 0.24609375e0) * (p) + 0.2734375e0) * (p) + 0.3125e0) * (p) + 0.375e0) * (p) + 0.5e0) * (p) + 1.0e0) * POWER(p, 0.5e0)
        WHEN p <= 1.0e0 THEN 2.0e0 * "b" * SQRT(p) / SQRT(1.0e0 - p)
      END
  END AS loss0,
  CASE
    WHEN NOT ("b" > 0 AND "b" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT (p >= 0 AND p <= 1) THEN NULL
    ELSE
      CASE
        WHEN p = 0 THEN CAST('Infinity' AS DOUBLE)
        WHEN p = 1 THEN 0.0e0
        WHEN p <= 7.0e0 / 8.0e0 THEN 2.0e0 * "b" * SQRT(1.0e0 - p) / SQRT(p)
        WHEN p <= 1.0e0 THEN (2.0e0 * "b") * ((((((((((((((((((0.13206059957155958e0 * (1.0e0 - p) + 0.13583375955931842e0) * (1.0e0 - p) + 0.13994993409141898e0) * (1.0e0 - p) + 0.14446444809436798e0) * (1.0e0 - p) + 0.14944598078727722e0) * (1.0e0 - p) + 0.15498101711273193e0) * (1.0e0 - p) + 0.1611802577972412e0) * (1.0e0 - p) + 0.16818809509277344e0) * (1.0e0 - p) + 0.17619705200195312e0) * (1.0e0 - p) + 0.1854705810546875e0) * (1.0e0 - p) + 0.196380615234375e0) * (1.0e0 - p) + 0.20947265625e0) * (1.0e0 - p) + 0.2255859375e0) * (1.0e0 - p) + 0.24609375e0) * (1.0e0 - p) + 0.2734375e0) * (1.0e0 - p) + 0.3125e0) * (1.0e0 - p) + 0.375e0) * (1.0e0 - p) + 0.5e0) * (1.0e0 - p) + 1.0e0) * POWER(1.0e0 - p, 0.5e0)
      END
  END AS loss1
FROM given)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
