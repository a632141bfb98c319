/*
 * The larger cost is known: max(c0, c1) = 1
 *
 * Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
 * loss0(p) =
 *     -p - log(1 - p)    up to p = 1/2
 *     p - 1 + log(2)    up to p = 1
 * loss1(p) =
 *     log(2) - p    up to p = 1/2
 *     p - log(p) - 1    up to p = 1
 *
 * Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
 *     loss0: within 2.1
 *     loss1: within 2.8
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
    {0.25, 0.12500000000000014, 7.999999999999991, 0.0,
     0.0, 0.0, 0.0, 1.0062098414096695e-13,
     7.482029407065034e-13, 5.236948840687041e-12, 3.9540455306943736e-11, 3.008515806886751e-10,
     2.3012074009973517e-09, 1.7753706159027346e-08, 1.3841136724280654e-07, 1.0931557131016485e-06,
     8.777134825984017e-06, 7.2017745337272e-05, 0.0006087748083110282, 0.005374322683853869,
     0.05083888691824717, 0.5460091279694479},
    {0.3749999999999999, 0.18750000000000006, 16.000000000000014, 0.0,
     0.0, 0.0, 0.0, 0.0,
     -2.2890379537158494e-15, 2.7221226465109698e-14, -3.1853903756359685e-13, 3.8545087247145395e-12,
     -4.7122027900239603e-11, 5.831348570081141e-10, -7.330830231630567e-09, 9.407898812084139e-08,
     -1.2418426461243608e-06, 1.707533638416365e-05, -0.0002504382669671913, 0.004132231404958667,
     -0.028409090909090877, 0.06219344944141067},
    {0.5, 0.06250000000000007, 15.999999999999982, 0.0,
     0.0, 0.0, 0.0, 0.0,
     -3.150726109055687e-14, 3.062447159136563e-13, -2.895058739649375e-12, 2.866422008560239e-11,
     -2.8679864315935516e-10, 2.903832249620903e-09, -2.986787914045939e-08, 3.1361273347140753e-07,
     -3.387017561810646e-06, 3.810394756958955e-05, -0.00045724737082760753, 0.006172839506172813,
     -0.048611111111111154, 0.1378641449035618}
};

static const double LOSS_1[][22] = {
    {0.6250000000000001, 0.06250000000000007, 15.999999999999982, 0.0,
     0.0, 0.0, 0.0, 0.0,
     -3.150726109055687e-14, 3.062447159136563e-13, -2.895058739649375e-12, 2.866422008560239e-11,
     -2.8679864315935516e-10, 2.903832249620903e-09, -2.986787914045939e-08, 3.1361273347140753e-07,
     -3.387017561810646e-06, 3.810394756958955e-05, -0.00045724737082760753, 0.006172839506172813,
     -0.048611111111111154, 0.1378641449035618},
    {0.75, 0.18750000000000006, 16.000000000000014, 0.0,
     0.0, 0.0, 0.0, 0.0,
     -2.2890379537158494e-15, 2.7221226465109698e-14, -3.1853903756359685e-13, 3.8545087247145395e-12,
     -4.7122027900239603e-11, 5.831348570081141e-10, -7.330830231630567e-09, 9.407898812084139e-08,
     -1.2418426461243608e-06, 1.707533638416365e-05, -0.0002504382669671913, 0.004132231404958667,
     -0.028409090909090877, 0.06219344944141067},
    {1.0, 0.12500000000000014, 7.999999999999991, 0.0,
     0.0, 0.0, 0.0, 1.0062098414096695e-13,
     7.482029407065034e-13, 5.236948840687041e-12, 3.9540455306943736e-11, 3.008515806886751e-10,
     2.3012074009973517e-09, 1.7753706159027346e-08, 1.3841136724280654e-07, 1.0931557131016485e-06,
     8.777134825984017e-06, 7.2017745337272e-05, 0.0006087748083110282, 0.005374322683853869,
     0.05083888691824717, 0.5460091279694479}
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
    const double x = 0.5 - p;
    return polynomial(LOSS_0, p, x);
}

static double loss1_part2(double p)
{
    const double x = p - 0.5;
    return polynomial(LOSS_1, p, x);
}

/* Return the loss of a probability of class 1 if the class is 0. */
double loss0(double p)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 0.0;
    if (p == 1.0) return 0.6931471805599453;
    if (p <= 0.25) return polynomial(LOSS_0, p, p) * p * p;
    if (p <= 0.5) return loss0_part2(p);
    return 0.6931471805599453 - q;
}

/* Return the loss of a probability of class 1 if the class is 1. */
double loss1(double p)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 0.6931471805599453;
    if (p == 1.0) return 0.0;
    if (p <= 0.5) return q - 0.3068528194400547;
    if (p <= 0.75) return loss1_part2(p);
    return polynomial(LOSS_1, p, q) * q * q;
}

/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p)
{
    return y == 1 ? loss1(p) : y == 0 ? loss0(p) : NAN;
}
