/*
 * Independent Gamma costs of the shapes 2 and 3
 *
 * Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
 * loss0(p) =
 *     2*p**3*(6*p**2 - 15*p + 10)    up to p = 1
 * loss1(p) =
 *     3*(1 - p)**4*(4*p + 1)    up to p = 1
 *
 * Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
 *     loss0: within 3.1
 *     loss1: within 1.1
 * Where a formula would cancel, polynomials that were fitted to exact values take its place.
 *
 * NaN is the loss of what is not a probability.
 * C99: link with -lm, and do not compile with -ffast-math.
 * Written by costderive 0.2.0.
 */

#include <math.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "compile without -ffast-math and -Ofast: they drop the checks for NaN, and digits of the losses"
#endif

static const double LOSS_1[][22] = {
    {0.2500000000000003, 0.12500000000000014, 7.999999999999991, 0.0,
     0.0, 0.0, 0.0, 0.0,
     0.0, 0.0, 0.0, 0.0,
     0.0, 0.0, 0.0, 0.0,
     0.00036621093750000206, -0.009155273437500038, 0.07690429687500022, -0.17944335937500014,
     -0.6280517578125011, 2.637817382812499},
    {0.3750000000000001, 0.3125000000000002, 16.00000000000002, 0.0,
     0.0, 0.0, 0.0, 0.0,
     0.0, 0.0, 0.0, 0.0,
     0.0, 0.0, 0.0, 0.0,
     1.1444091796874924e-05, -0.00040054321289062267, 0.003776550292968729, 0.013847351074218753,
     -0.380802154541015, 1.5079765319824205},
    {0.5, 0.43750000000000006, 16.000000000000014, 0.0,
     0.0, 0.0, 0.0, 0.0,
     0.0, 0.0, 0.0, 0.0,
     0.0, 0.0, 0.0, 0.0,
     1.144409179687495e-05, -0.0002861022949218739, 0.0010299682617187463, 0.027809143066406205,
     -0.2919960021972653, 0.8259315490722654},
    {1.0, 0.2500000000000003, 3.9999999999999956, 0.0,
     0.0, 0.0, 0.0, 0.0,
     0.0, 0.0, 0.0, 0.0,
     0.0, 0.0, 0.0, 0.0,
     0.0, 0.0, 0.0, 0.0,
     -3.0000000000000036, 11.999999999999996}
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

/* Return the loss of a probability of class 1 if the class is 0. */
double loss0(double p)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 0.0;
    if (p == 1.0) return 2.0;
    if (p <= 0.5898026281441643) return p * p * p * (p * (12.0 * p - 30.0) + 20.0);
    return -12.0 * (q * q * (q * q) * q) + 30.0 * (q * q * (q * q)) - 20.0 * (q * q * q) + 2.0;
}

/* Return the loss of a probability of class 1 if the class is 1. */
double loss1(double p)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 3.0;
    if (p == 1.0) return 0.0;
    if (p <= 0.5) return polynomial(LOSS_1, p, p);
    return polynomial(LOSS_1, p, q) * q * q * q * q;
}

/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p)
{
    return y == 1 ? loss1(p) : y == 0 ? loss0(p) : NAN;
}
