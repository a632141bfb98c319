-- In the SQL of duckdb: write it with the option dialect for another system, which may read it otherwise.
-- Independent uniform costs of three classes: the Inverse Score of three classes
--
-- Written by costderive 0.2.0. pi is the probability of class i.
--
-- Where p0 <= p1 <= p2:
-- loss0(p) = 1/2 - p0**2/(4*p1*p2)
-- loss1(p) = p0**3/(12*p1**2*p2) - p1/(3*p2) + 1/2
-- loss2(p) = p0**3/(12*p1*p2**2) + p1**2/(6*p2**2)
--
-- In other orders alike: classes whose costs have the same law may be exchanged.
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
    SELECT *,
        CASE WHEN p1 * 1.0e0 < p2 * 1.0e0 THEN 1 ELSE 0 END + CASE WHEN p0 * 1.0e0 < p2 * 1.0e0 THEN 1 ELSE 0 END AS rank2_0,
        CASE WHEN p2 * 1.0e0 <= p1 * 1.0e0 THEN 1 ELSE 0 END + CASE WHEN p0 * 1.0e0 < p1 * 1.0e0 THEN 1 ELSE 0 END AS rank1_0,
        CASE WHEN p2 * 1.0e0 <= p0 * 1.0e0 THEN 1 ELSE 0 END + CASE WHEN p1 * 1.0e0 <= p0 * 1.0e0 THEN 1 ELSE 0 END AS rank0_0
    FROM given
), numbered AS (
    SELECT *,
        CASE CASE WHEN rank1_0 < rank0_0 THEN 1 ELSE 0 END + CASE WHEN rank2_0 < rank0_0 THEN 1 ELSE 0 END WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 END AS place0,
        CASE CASE WHEN rank0_0 < rank1_0 THEN 1 ELSE 0 END + CASE WHEN rank2_0 < rank1_0 THEN 1 ELSE 0 END WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 END AS place1,
        CASE CASE WHEN rank0_0 < rank2_0 THEN 1 ELSE 0 END + CASE WHEN rank1_0 < rank2_0 THEN 1 ELSE 0 END WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 2 END AS place2
    FROM ranked
), standing AS (
    SELECT *,
        CASE WHEN place0 = 0 THEN p0 WHEN place1 = 0 THEN p1 WHEN place2 = 0 THEN p2 END AS at0,
        CASE WHEN place0 = 0 THEN rank0_0 WHEN place1 = 0 THEN rank1_0 WHEN place2 = 0 THEN rank2_0 END AS mark0_0,
        CASE WHEN place0 = 1 THEN p0 WHEN place1 = 1 THEN p1 WHEN place2 = 1 THEN p2 END AS at1,
        CASE WHEN place0 = 1 THEN rank0_0 WHEN place1 = 1 THEN rank1_0 WHEN place2 = 1 THEN rank2_0 END AS mark1_0,
        CASE WHEN place0 = 2 THEN p0 WHEN place1 = 2 THEN p1 WHEN place2 = 2 THEN p2 END AS at2,
        CASE WHEN place0 = 2 THEN rank0_0 WHEN place1 = 2 THEN rank1_0 WHEN place2 = 2 THEN rank2_0 END AS mark2_0,
        CASE WHEN fits = 1 AND y = 0 THEN place0 WHEN fits = 1 AND y = 1 THEN place1 WHEN fits = 1 AND y = 2 THEN place2 END AS place
    FROM numbered
)
SELECT * EXCLUDE (fits, p0, p1, p2, rank2_0, rank1_0, rank0_0, place0, place1, place2, at0, mark0_0, at1, mark1_0, at2, mark2_0, place),
    CASE
        WHEN mark0_0 < mark1_0 AND mark1_0 < mark2_0 THEN CASE place WHEN 0 THEN 0.5e0 - 0.25e0 * (at0 * at0) / (at1 * at2) WHEN 1 THEN 0.08333333333333333e0 * (at0 * at0 * at0) * (1.0e0 / at2) / (at1 * at1) + 0.5e0 - 0.3333333333333333e0 * at1 * (1.0e0 / at2) WHEN 2 THEN 0.08333333333333333e0 * (at0 * at0 * at0) * (1.0e0 / (at2 * at2)) / at1 + 0.16666666666666666e0 * (at1 * at1) * (1.0e0 / (at2 * at2)) END
    END AS loss
FROM standing
