/*
 * Additive costs, their proportion of law Beta(2, 2): the H-measure's weights
 *
 * Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
 * loss0(p) =
 *     p**3*(4 - 3*p)    up to p = 1
 * loss1(p) =
 *     (1 - p)**3*(3*p + 1)    up to p = 1
 *
 * Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
 *     loss0: within 2.5
 *     loss1: within 3.1
 * Where a formula would cancel, polynomials that were fitted to exact values take its place.
 *
 * NaN is the loss of what is not a probability.
 * C99: link with -lm, and do not compile with -ffast-math.
 * Written by costderive 0.1.0.
 */

#include <math.h>

static const double LOSS_0[][22] = {
    {1.0, 0.09880076250169689, 10.121379376832493, 0.0,
     0.0, 0.0, 0.0, 0.0,
     0.0, 0.0, 0.0, 0.0,
     0.0, 0.0, 0.0, 0.0,
     0.0, -0.00028586595727958465, 0.0065721569830098385, -0.03713787733279326,
     -0.09513568944373438, 0.9488602108293483}
};

/* Return the polynomial of the first row that ends at or above p. A row is its end, centre, scale and
 * coefficients from the highest. */
static double polynomial(const double (*row)[22], double p, double z)
{
    while (p > (*row)[0]) ++row;
    z = (z - (*row)[1]) * (*row)[2];
    double value = (*row)[3];
    for (int k = 4; k < 22; ++k) value = value * z + (*row)[k];
    return value;
}

static double loss1_part1(double p, double r)
{
    const double rest = 1.0 - r - p;
    return r * r * (3.0 * p + 1.0) * (r + 3.0 * rest);
}

/* Return the loss of a probability of class 1 if the class is 0. */
double loss0(double p)
{
    const double r = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 0.0;
    if (p == 1.0) return 1.0;
    if (p <= 0.8023984749966064) return p * p * p * (4.0 - 3.0 * p);
    return polynomial(LOSS_0, p, r);
}

/* Return the loss of a probability of class 1 if the class is 1. */
double loss1(double p)
{
    const double r = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 1.0;
    if (p == 1.0) return 0.0;
    return loss1_part1(p, r);
}

/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p)
{
    return y == 1 ? loss1(p) : y == 0 ? loss0(p) : NAN;
}
