/*
 * Independent uniform costs on [1, 4] and [2, 3]: ae <= bd
 *
 * Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
 * loss0(p) =
 *     0    up to p = 1/4
 *     (p + 2)*(4*p - 1)**2/(18*p*(1 - p)**2)    up to p = 1/3
 *     (16*p**2 + 6*p - 3)/(18*(1 - p)**2)    up to p = 4/7
 *     5/2 - 4*(4 - 3*p)*(3*p - 2)**2/(9*p*(1 - p)**2)    up to p = 2/3
 *     5/2    up to p = 1
 * loss1(p) =
 *     5/2    up to p = 1/4
 *     5/2 - (4*p - 1)**2*(5*p + 1)/(18*p**2*(1 - p))    up to p = 1/3
 *     (30 - 49*p)/(9*(1 - p))    up to p = 4/7
 *     8*(3*p - 2)**2/(9*p**2*(1 - p))    up to p = 2/3
 *     0    up to p = 1
 *
 * Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
 *     loss0: within 3.3
 *     loss1: within 3.2
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
    {0.603986541118192, 0.01627898484481033, 61.42889188319355, 0.0,
     0.0, 0.0, 0.0, 0.0,
     0.0, 0.0, 0.0, 4.691043371552855e-14,
     -3.691610207919687e-13, 4.064630706489301e-11, -5.563185289733746e-10, 3.524893604776441e-08,
     -6.028991354039273e-07, 2.8415711852532376e-05, -0.00048521641938998217, 0.01777170267915835,
     -0.14999189047816652, 0.35024065448449876}
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

static double loss0_part2(double p)
{
    const double distance = p - 0.25;
    return 128.0 * (distance * distance) * (4.0 * distance + 9.0) / (distance * (distance * (576.0 * distance - 720.0) + 108.0) + 81.0);
}

static double loss0_part3(double p)
{
    const double distance = p - 0.3333333333333333 - 1.850371707708594e-17;
    return (144.0 * (distance * distance) + 150.0 * distance + 7.0) / (distance * (162.0 * distance - 216.0) + 72.0);
}

static double loss0_part4(double p, double q)
{
    const double rest = 1.0 - q - p;
    return (16.0 * (p * p) + 6.0 * p - 3.0) / (18.0 * q * (q + 2.0 * rest));
}

static double loss0_part5(double p)
{
    const double distance = 0.6666666666666666 - p + 3.700743415417188e-17;
    const double x0 = distance * distance;
    return (783.0 * (distance * distance * distance) - 45.0 * distance + 432.0 * x0 - 10.0) / (distance * (54.0 * x0 - 18.0) - 4.0);
}

static double loss1_part3(double p)
{
    const double distance = 0.5714285714285714 - p + 3.172065784643304e-17;
    return 0.7777777777777778 * (49.0 * distance + 2.0) / (7.0 * distance + 3.0);
}

static double loss1_part4(double p)
{
    const double x = p - 0.5714285714285714 - 3.172065784643304e-17;
    return polynomial(LOSS_1, p, x);
}

static double loss1_part5(double p)
{
    const double distance = 0.6666666666666666 - p + 3.700743415417188e-17;
    const double x0 = distance * distance;
    return 216.0 * x0 / (x0 * (27.0 * distance - 27.0) + 4.0);
}

/* Return the loss of a probability of class 1 if the class is 0. */
double loss0(double p)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 0.0;
    if (p == 1.0) return 2.5;
    if (p <= 0.25) return 0.0;
    if (p <= 0.3333333333333333) return loss0_part2(p);
    if (p <= 0.4796494764940319) return loss0_part3(p);
    if (p <= 0.5714285714285714) return loss0_part4(p, q);
    if (p <= 0.6666666666666666) return loss0_part5(p);
    return 2.5;
}

/* Return the loss of a probability of class 1 if the class is 1. */
double loss1(double p)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 2.5;
    if (p == 1.0) return 0.0;
    if (p <= 0.25) return 2.5;
    if (p <= 0.3333333333333333) return 2.5 - 0.05555555555555555 * ((4.0 * p - 1.0) * (4.0 * p - 1.0)) * (5.0 * p + 1.0) / (p * p * q);
    if (p <= 0.5714285714285714) return loss1_part3(p);
    if (p <= 0.603986541118192) return loss1_part4(p);
    if (p <= 0.6666666666666666) return loss1_part5(p);
    return 0.0;
}

/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p)
{
    return y == 1 ? loss1(p) : y == 0 ? loss0(p) : NAN;
}
