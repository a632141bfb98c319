/*
 * Harmonic costs with c0 uniform, which is not the log loss
 *
 * Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
 * loss0(p) =
 *     0    up to p = 1/3
 *     (5 - 3*p)*(3*p - 1)/(72*(1 - p)**2)    up to p = 5/6
 *     15/8    up to p = 1
 * loss1(p) =
 *     log(10)/9 + 1/2    up to p = 1/3
 *     log(1 - p)/9 - log(p)/9 + log(5)/9 + (5 - 6*p)/(9*(1 - p))    up to p = 5/6
 *     0    up to p = 1
 *
 * Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
 *     loss0: within 3.1
 *     loss1: within 2.7
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
    {0.7262070273774399, 0.16068945893383998, 18.669550696758417, 0.0,
     0.0, 0.0, -3.756292762714048e-12, 2.2829451196960228e-11,
     -1.24685628404751e-10, 7.638051643054527e-10, -4.700943432802075e-09, 2.879043472240404e-08,
     -1.7637422798474136e-07, 1.0812266425602613e-06, -6.6321231781270935e-06, 4.07300126123525e-05,
     -0.00025033963412664906, 0.001544193642887212, -0.009525513884910183, 0.05971400592552811,
     -0.36998686384438123, 2.6514173811678536},
    {0.8333333333333333, 0.0535631529779467, 18.66955069675837, 3.674002262774493e-11,
     -1.4888139897102055e-10, 4.380230001543506e-10, -1.8125885531700398e-09, 7.80826877324245e-09,
     -3.211716081640192e-08, 1.318216824087269e-07, -5.427365322173978e-07, 2.2352476650672407e-06,
     -9.207560897784326e-06, 3.794342758419468e-05, -0.0001564462811857865, 0.0006455491306040576,
     -0.002666718341162337, 0.011036571302950429, -0.045798764070700555, 0.19148532118071676,
     -0.8051248108094889, 3.7430357157271668}
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
    const double distance = p - 0.3333333333333333 - 1.850371707708594e-17;
    const double x0 = 3.0 * distance;
    return -0.375 * distance * (x0 - 4.0) / ((x0 - 2.0) * (x0 - 2.0));
}

static double loss0_part3(double p, double q)
{
    const double x0 = 3.0 * p;
    return (5.0 - x0) * (x0 - 1.0) / (72.0 * (q * q));
}

static double loss1_part3(double p)
{
    const double x = 0.8333333333333334 - p - 3.700743415417188e-17;
    return polynomial(LOSS_1, p, x) * x;
}

/* Return the loss of a probability of class 1 if the class is 0. */
double loss0(double p)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 0.0;
    if (p == 1.0) return 1.875;
    if (p <= 0.3333333333333333) return 0.0;
    if (p <= 0.5833388976955081) return loss0_part2(p);
    if (p <= 0.8333333333333333) return loss0_part3(p, q);
    return 1.875;
}

/* Return the loss of a probability of class 1 if the class is 1. */
double loss1(double p)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 0.7558427881104495;
    if (p == 1.0) return 0.0;
    if (p <= 0.3333333333333333) return 0.7558427881104495;
    if (p <= 0.6190807214215468) return -0.1111111111111111 * (-q * log1p(-p) + q * log(1.0 - q) - 7.6094379124341005 * q + 1.0) / q;
    if (p <= 0.8333333333333333) return loss1_part3(p);
    return 0.0;
}

/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p)
{
    return y == 1 ? loss1(p) : y == 0 ? loss0(p) : NAN;
}
