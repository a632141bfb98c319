-- Independent exponential costs: a tilted Brier score
--
-- Written by costderive 0.1.0. p is the probability of class 1.
--
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
-- It is a query over a table predictions with columns y, a label 0 or 1, p, and one for each parameter.
-- NULL is the loss of what is not a probability, and of parameters of which a condition above does not hold.

WITH given AS (SELECT y, CAST(p AS DOUBLE) AS p, CAST("m" AS DOUBLE) AS "m", CAST("n" AS DOUBLE) AS "n" FROM predictions),
losses AS (SELECT y, p, "m", "n",
  CASE
    WHEN NOT ("m" > 0 AND "m" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("n" > 0 AND "n" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT (p >= 0 AND p <= 1) THEN NULL
    ELSE
      CASE
        WHEN p = 0 THEN 0.0e0
        WHEN p = 1 THEN "m"
        WHEN p <= 1.0e0 THEN "m" * ("n" * "n") * (p * p) / (("m" * (1.0e0 - p) + "n" * p) * ("m" * (1.0e0 - p) + "n" * p))
      END
  END AS loss0,
  CASE
    WHEN NOT ("m" > 0 AND "m" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("n" > 0 AND "n" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT (p >= 0 AND p <= 1) THEN NULL
    ELSE
      CASE
        WHEN p = 0 THEN "n"
        WHEN p = 1 THEN 0.0e0
        WHEN p <= 1.0e0 THEN "m" * "m" * "n" * ((1.0e0 - p) * (1.0e0 - p)) / (("m" * (1.0e0 - p) + "n" * p) * ("m" * (1.0e0 - p) + "n" * p))
      END
  END AS loss1
FROM given)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
