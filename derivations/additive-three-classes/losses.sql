-- In the SQL of duckdb: write it with the option dialect for another system, which may read it otherwise.
-- Additive costs of three classes: a fixed budget, shared out uniformly
--
-- Written by costderive 0.2.0. pi is the probability of class i.
--
-- loss0(p) = (p0/p2 + 1)**(-2) - 1/(p0/p2 + p0/p1 + 1)**2 + (p0/p1 + 1)**(-2)
-- loss1(p) = (p1/p2 + 1)**(-2) - 1/(p1/p2 + 1 + p1/p0)**2 + (1 + p1/p0)**(-2)
-- loss2(p) = (1 + p2/p1)**(-2) - 1/(1 + p2/p1 + p2/p0)**2 + (1 + p2/p0)**(-2)
--
-- The losses are these formulas as they stand, compared at 400 forecasts with quadrature: within 1e-14 of the mean cost.
-- A probability counts as at least 1e-30, so that at 0 there are the limits.
-- For DuckDB: a table predictions with labels y from 0 to K - 1, and lists p of probabilities.
-- NULL is the loss of what is none of these.

WITH given AS (
    SELECT *,
        CASE WHEN len(p) = 3 AND abs(list_sum(p) - 1) <= 1e-5 AND list_min(p) >= 0 THEN 1 END AS fits,
        CASE WHEN p[1] > 1e-30 THEN CAST(p[1] AS DOUBLE) ELSE 1e-30 END AS p0,
        CASE WHEN p[2] > 1e-30 THEN CAST(p[2] AS DOUBLE) ELSE 1e-30 END AS p1,
        CASE WHEN p[3] > 1e-30 THEN CAST(p[3] AS DOUBLE) ELSE 1e-30 END AS p2
    FROM predictions
), ranked AS (
    SELECT *
    FROM given
), numbered AS (
    SELECT *,
        0 AS place0,
        1 AS place1,
        2 AS place2
    FROM ranked
), standing AS (
    SELECT *,
        CASE WHEN place0 = 0 THEN p0 WHEN place1 = 0 THEN p1 WHEN place2 = 0 THEN p2 END AS at0,
        CASE WHEN place0 = 1 THEN p0 WHEN place1 = 1 THEN p1 WHEN place2 = 1 THEN p2 END AS at1,
        CASE WHEN place0 = 2 THEN p0 WHEN place1 = 2 THEN p1 WHEN place2 = 2 THEN p2 END AS at2,
        CASE WHEN fits = 1 AND y = 0 THEN place0 WHEN fits = 1 AND y = 1 THEN place1 WHEN fits = 1 AND y = 2 THEN place2 END AS place
    FROM numbered
)
SELECT * EXCLUDE (fits, p0, p1, p2, place0, place1, place2, at0, at1, at2, place),
    CASE
        WHEN 1 = 1 THEN CASE place WHEN 0 THEN 1.0e0 / ((at0 / at2 + 1.0e0) * (at0 / at2 + 1.0e0)) + 1.0e0 / ((at0 / at1 + 1.0e0) * (at0 / at1 + 1.0e0)) - 1.0e0 / ((at0 / at1 + 1.0e0 + at0 / at2) * (at0 / at1 + 1.0e0 + at0 / at2)) WHEN 1 THEN 1.0e0 / ((at1 / at2 + 1.0e0) * (at1 / at2 + 1.0e0)) + 1.0e0 / ((1.0e0 + at1 / at0) * (1.0e0 + at1 / at0)) - 1.0e0 / ((1.0e0 + at1 / at0 + at1 / at2) * (1.0e0 + at1 / at0 + at1 / at2)) WHEN 2 THEN 1.0e0 / ((at2 / at1 + 1.0e0) * (at2 / at1 + 1.0e0)) + 1.0e0 / ((1.0e0 + at2 / at0) * (1.0e0 + at2 / at0)) - 1.0e0 / ((1.0e0 + at2 / at0 + at2 / at1) * (1.0e0 + at2 / at0 + at2 / at1)) END
    END AS loss
FROM standing
