-- Known costs: the cost-weighted 0/1 loss
--
-- Written by costderive 0.1.0. p is the probability of class 1.
--
-- loss0(p) =
--     0    up to p = c/(c + d)
--     c    up to p = 1
-- loss1(p) =
--     d    up to p = c/(c + d)
--     0    up to p = 1
--
-- Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
-- near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
-- digits.
-- At c = 1, d = 4 they are within 1e-14 of the largest loss, in Python at 285 reports.
--
-- It is a query over a table predictions with columns y, a label 0 or 1, p, and one for each parameter.
-- NULL is the loss of what is not a probability, and of parameters of which a condition above does not hold.

WITH given AS (SELECT y, CAST(p AS DOUBLE) AS p, CAST("c" AS DOUBLE) AS "c", CAST("d" AS DOUBLE) AS "d" FROM predictions),
losses AS (SELECT y, p, "c", "d",
  CASE
    WHEN NOT ("c" > 0 AND "c" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("d" > 0 AND "d" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT (p >= 0 AND p <= 1) THEN NULL
    ELSE
      CASE
        WHEN p = 0 THEN 0.0e0
        WHEN p = 1 THEN "c"
        WHEN p <= "c" / ("c" + "d") THEN 0.0e0
        WHEN p <= 1.0e0 THEN "c"
      END
  END AS loss0,
  CASE
    WHEN NOT ("c" > 0 AND "c" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("d" > 0 AND "d" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT (p >= 0 AND p <= 1) THEN NULL
    ELSE
      CASE
        WHEN p = 0 THEN "d"
        WHEN p = 1 THEN 0.0e0
        WHEN p <= "c" / ("c" + "d") THEN "d"
        WHEN p <= 1.0e0 THEN 0.0e0
      END
  END AS loss1
FROM given)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
