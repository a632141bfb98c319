-- Ordered classes, and rejecting at a known cost
--
-- Written by costderive 0.2.0.
--
-- The act with the least expected cost is taken, of several the first; the loss is what it costs in the class.
-- Classes and acts are counted from 0. A row of probabilities may miss the sum 1 by roundings.
-- It is a query over a table predictions with labels y from 0 and columns p0, p1, ... of probabilities,
-- one for each class. NULL is the loss of what is none of these.
-- In the SQL of duckdb: write it with the option dialect for another system, which may read it otherwise.

SELECT decided.*, CASE
    WHEN y = 0 AND act = 0 THEN 0.0e0
    WHEN y = 0 AND act = 1 THEN 1.0e0
    WHEN y = 0 AND act = 2 THEN 2.0e0
    WHEN y = 0 AND act = 3 THEN 0.25e0
    WHEN y = 1 AND act = 0 THEN 1.0e0
    WHEN y = 1 AND act = 1 THEN 0.0e0
    WHEN y = 1 AND act = 2 THEN 1.0e0
    WHEN y = 1 AND act = 3 THEN 0.25e0
    WHEN y = 2 AND act = 0 THEN 2.0e0
    WHEN y = 2 AND act = 1 THEN 1.0e0
    WHEN y = 2 AND act = 2 THEN 0.0e0
    WHEN y = 2 AND act = 3 THEN 0.25e0
    END AS loss
FROM (
    SELECT compared.*, CASE
    WHEN cost_of_act_0 <= least_cost THEN 0
    WHEN cost_of_act_1 <= least_cost THEN 1
    WHEN cost_of_act_2 <= least_cost THEN 2
    WHEN cost_of_act_3 <= least_cost THEN 3
    END AS act
    FROM (
        SELECT expected.*,
            CASE WHEN p0 >= 0 AND p1 >= 0 AND p2 >= 0 AND ABS(p0 + p1 + p2 - 1) <= 1e-5
            THEN 1.0000000000000022e0 * LEAST(cost_of_act_0, cost_of_act_1, cost_of_act_2, cost_of_act_3) END AS least_cost
        FROM (
            SELECT predictions.*,
                1.0e0 * p1 + 2.0e0 * p2 AS cost_of_act_0,
                1.0e0 * p0 + 1.0e0 * p2 AS cost_of_act_1,
                2.0e0 * p0 + 1.0e0 * p1 AS cost_of_act_2,
                0.25e0 * p0 + 0.25e0 * p1 + 0.25e0 * p2 AS cost_of_act_3
            FROM predictions
        ) AS expected
    ) AS compared
) AS decided
