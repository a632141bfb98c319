-- Independent uniform costs with any bounds
--
-- Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
--
-- If b - a > 0 and e - d > 0 and b*d >= a*e:
-- loss0(p) =
--     0    up to p = a/(a + e)
--     (p*(a + e) - a)**2*(2*a + p*(e - 2*a))/(6*p*(1 - p)**2*(b - a)*(e - d))    up to p = a/(a + d)
--     (p**2*(d**2 + d*e + e**2) - 3*a**2*(1 - p)**2)/(6*(1 - p)**2*(b - a))    up to p = b/(b + e)
--     a/2 + b/2 - (p*(b + d) - b)**2*(2*b + p*(d - 2*b))/(6*p*(1 - p)**2*(b - a)*(e - d))    up to p = b/(b + d)
--     a/2 + b/2    up to p = 1
-- loss1(p) =
--     d/2 + e/2    up to p = a/(a + e)
--     d/2 + e/2 - (p*(a + e) - a)**2*(a + p*(2*e - a))/(6*p**2*(1 - p)*(b - a)*(e - d))    up to p = a/(a + d)
--     (3*b*d + 3*b*e + p*(-3*b*d - 3*b*e - 2*d**2 - 2*d*e - 2*e**2))/(6*(1 - p)*(b - a))    up to p = b/(b + e)
--     (p*(b + d) - b)**2*(b + p*(2*d - b))/(6*p**2*(1 - p)*(b - a)*(e - d))    up to p = b/(b + d)
--     0    up to p = 1
--
-- If b - a > 0 and e - d > 0 and a*e >= b*d:
-- loss0(p) =
--     0    up to p = a/(a + e)
--     (p*(a + e) - a)**2*(2*a + p*(e - 2*a))/(6*p*(1 - p)**2*(b - a)*(e - d))    up to p = b/(b + e)
--     (p*(2*a**2 + 2*a*b + 3*a*e + 2*b**2 + 3*b*e) - 2*a**2 - 2*a*b - 2*b**2)/(6*p*(e - d))    up to p = a/(a + d)
--     a/2 + b/2 - (p*(b + d) - b)**2*(2*b + p*(d - 2*b))/(6*p*(1 - p)**2*(b - a)*(e - d))    up to p = b/(b + d)
--     a/2 + b/2    up to p = 1
-- loss1(p) =
--     d/2 + e/2    up to p = a/(a + e)
--     d/2 + e/2 - (p*(a + e) - a)**2*(a + p*(2*e - a))/(6*p**2*(1 - p)*(b - a)*(e - d))    up to p = b/(b + e)
--     ((1 - p)**2*(a**2 + a*b + b**2) - 3*d**2*p**2)/(6*p**2*(e - d))    up to p = a/(a + d)
--     (p*(b + d) - b)**2*(b + p*(2*d - b))/(6*p**2*(1 - p)*(b - a)*(e - d))    up to p = b/(b + d)
--     0    up to p = 1
--
-- Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
-- near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
-- digits.
-- At a = 1, b = 2, d = 1, e = 3 they are within 1e-14 of the largest loss, in Python at 291 reports.
--
-- It is a query over a table predictions with columns y, a label 0 or 1, and p.
-- NULL is the loss of what is not a probability.
-- Parameters are columns of the table. NULL is also the loss of those that break a condition above.
-- Written by costderive 0.2.0.

-- In the SQL of duckdb: write it with the option dialect for another system, which may read it otherwise.
WITH given AS (SELECT y, CAST(p AS DOUBLE) AS p, CAST("a" AS DOUBLE) AS "a", CAST("b" AS DOUBLE) AS "b", CAST("d" AS DOUBLE) AS "d", CAST("e" AS DOUBLE) AS "e" FROM predictions),
complemented AS (SELECT *, 1 - p AS q FROM given),
losses AS (SELECT y, p, "a", "b", "d", "e",
  CASE
    WHEN NOT ("a" > 0 AND "a" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("b" > 0 AND "b" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("d" > 0 AND "d" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("e" > 0 AND "e" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("b" - "a" > 0) THEN NULL
    WHEN NOT ("e" - "d" > 0) THEN NULL
    WHEN p = 0 THEN 0.0e0
    WHEN p = 1 THEN 0.5e0 * "a" + 0.5e0 * "b"
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= "a" / ("a" + "e") THEN 0.0e0
    WHEN p <= (CASE WHEN ("b" * "d" - "a" * "e" >= 0) THEN "a" / ("a" + "d") ELSE "b" / ("b" + "e") END) THEN ("e" * p - "a" * q) * ("e" * p - "a" * q) * ("e" * p + 2.0e0 * ("a" * q)) / (p * (q * q) * (-"a" + "b") * (-"d" + "e")) / 6.0e0
    WHEN p <= (CASE WHEN ("b" * "d" - "a" * "e" >= 0) THEN "b" / ("b" + "e") ELSE "a" / ("a" + "d") END) THEN (CASE WHEN ("b" * "d" - "a" * "e" >= 0) THEN (-3.0e0 * ("a" * "a") * (q * q) + p * p * ("d" * "d" + "d" * "e" + "e" * "e")) / (q * q * (-"a" + "b")) / 6.0e0 ELSE (3.0e0 * "e" * p * ("a" + "b") + q * (-2.0e0 * ("a" * "a") - 2.0e0 * "a" * "b" - 2.0e0 * ("b" * "b"))) / (p * (-"d" + "e")) / 6.0e0 END)
    WHEN p <= "b" / ("b" + "d") THEN 0.5e0 * "a" + 0.5e0 * "b" - 0.16666666666666666e0 * (("d" * p - "b" * q) * ("d" * p - "b" * q)) * ("d" * p + 2.0e0 * ("b" * q)) / (p * (q * q) * (-"a" + "b") * (-"d" + "e"))
    WHEN p < 1 THEN 0.5e0 * "a" + 0.5e0 * "b"
  END AS loss0,
  CASE
    WHEN NOT ("a" > 0 AND "a" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("b" > 0 AND "b" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("d" > 0 AND "d" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("e" > 0 AND "e" <= 1.7976931348623157e308) THEN NULL
    WHEN NOT ("b" - "a" > 0) THEN NULL
    WHEN NOT ("e" - "d" > 0) THEN NULL
    WHEN p = 0 THEN 0.5e0 * "d" + 0.5e0 * "e"
    WHEN p = 1 THEN 0.0e0
    WHEN NOT (p > 0 AND p < 1) THEN NULL
    WHEN p <= "a" / ("a" + "e") THEN 0.5e0 * "d" + 0.5e0 * "e"
    WHEN p <= (CASE WHEN ("b" * "d" - "a" * "e" >= 0) THEN "a" / ("a" + "d") ELSE "b" / ("b" + "e") END) THEN 0.5e0 * "d" + 0.5e0 * "e" - 0.16666666666666666e0 * (("e" * p - "a" * q) * ("e" * p - "a" * q)) * (2.0e0 * "e" * p + "a" * q) / (p * p * q * (-"a" + "b") * (-"d" + "e"))
    WHEN p <= (CASE WHEN ("b" * "d" - "a" * "e" >= 0) THEN "b" / ("b" + "e") ELSE "a" / ("a" + "d") END) THEN (CASE WHEN ("b" * "d" - "a" * "e" >= 0) THEN (-2.0e0 * p * ("d" * "d" + "d" * "e" + "e" * "e") + q * ("d" * (3.0e0 * "b") + "e" * (3.0e0 * "b"))) / (q * (-"a" + "b")) / 6.0e0 ELSE (-3.0e0 * ("d" * "d") * (p * p) + q * q * ("a" * "a" + "a" * "b" + "b" * "b")) / (p * p * (-"d" + "e")) / 6.0e0 END)
    WHEN p <= "b" / ("b" + "d") THEN ("d" * p - "b" * q) * ("d" * p - "b" * q) * (2.0e0 * "d" * p + "b" * q) / (p * p * q * (-"a" + "b") * (-"d" + "e")) / 6.0e0
    WHEN p < 1 THEN 0.0e0
  END AS loss1
FROM complemented)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
