/*
 * Harmonic costs, thresholds between bounds: the bounded log loss
 *
 * Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
 * loss0(p) =
 *     0    up to p = 1/10
 *     5*log(9/10)/2 - 5*log(1 - p)/2    up to p = 1/2
 *     5*log(9/5)/2    up to p = 1
 * loss1(p) =
 *     5*log(5)/2    up to p = 1/10
 *     -5*log(p)/2 - 5*log(2)/2    up to p = 1/2
 *     0    up to p = 1
 *
 * Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
 *     loss0: within 2.5
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

static const double LOSS_0[][22] = {
    {0.260032411377518, 0.08001620568875907, 12.49746837396569, 0.0,
     0.0, 0.0, 0.0, 0.0,
     0.0, 1.6503947668264632e-13, 1.828794257758253e-12, 1.9913145097954827e-11,
     2.2463827499666507e-10, 2.5606169086034034e-09, 2.9550402537405128e-08, 3.465231954414491e-07,
     4.149690137940935e-06, 5.11414406527757e-05, 0.0006571186992129443, 0.009020284885827198,
     0.13973672081888322, 2.909104021332511}
};

static const double LOSS_1[][22] = {
    {0.5, 0.08241598629732964, 12.133568315160732, 0.0,
     0.0, 0.0, 9.838434795878603e-12, 5.2685352994125583e-11,
     2.4652423781789213e-10, 1.3482260923344139e-09, 7.472592599769113e-09, 4.1346244955868234e-08,
     2.3068464467326155e-07, 1.3007297886199484e-06, 7.428564141377301e-06, 4.311940294278882e-05,
     0.00025568216757908583, 0.001561073501883253, 0.009945312554576527, 0.06778852022224591,
     0.5230023084100824, 5.463816913505962}
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
    const double x = p - 0.1 + 5.551115123125783e-18;
    return polynomial(LOSS_0, p, x) * x;
}

static double loss1_part3(double p)
{
    const double x = 0.5 - p;
    return polynomial(LOSS_1, p, x) * x;
}

/* Return the loss of a probability of class 1 if the class is 0. */
double loss0(double p)
{
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 0.0;
    if (p == 1.0) return 1.4694666622552974;
    if (p <= 0.09999999999999999) return 0.0;
    if (p <= 0.260032411377518) return loss0_part2(p);
    if (p <= 0.5) return -2.5 * log1p(-p) - 0.26340128914456573;
    return 1.4694666622552974;
}

/* Return the loss of a probability of class 1 if the class is 1. */
double loss1(double p)
{
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 4.023594781085251;
    if (p == 1.0) return 0.0;
    if (p <= 0.09999999999999999) return 4.023594781085251;
    if (p <= 0.3351680274053409) return -2.5 * log(p) - 1.7328679513998633;
    if (p <= 0.5) return loss1_part3(p);
    return 0.0;
}

/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p)
{
    return y == 1 ? loss1(p) : y == 0 ? loss0(p) : NAN;
}
