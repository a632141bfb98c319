/*
 * Independent log-normal costs
 *
 * Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
 * loss0(p) =
 *     (1 - erf(sqrt(2)*(mu - nu + sigma**2)/(2*sqrt(sigma**2 + tau**2)) - sqrt(2)*log(p/(1 - p))/(2*sqrt(sigma**2 + tau**2))))*exp(mu + sigma**2/2)/2    up to p = 1
 * loss1(p) =
 *     (erf(sqrt(2)*(mu - nu - tau**2)/(2*sqrt(sigma**2 + tau**2)) - sqrt(2)*log(p/(1 - p))/(2*sqrt(sigma**2 + tau**2))) + 1)*exp(nu + tau**2/2)/2    up to p = 1
 *
 * Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
 * near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
 * digits.
 * At mu = 1/2, sigma = 1/2, nu = 1, tau = 1 they are within 1e-14 of the largest loss, in Python at 283 reports.
 *
 * NaN is the loss of what is not a probability.
 * C99: link with -lm, and do not compile with -ffast-math.
 * NaN is also the loss of parameters that break a condition above.
 * Written by costderive 0.2.0.
 */

#include <math.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "compile without -ffast-math and -Ofast: they drop the checks for NaN, and digits of the losses"
#endif

static double loss0_part1(double p, double q, double mu, double nu, double sigma, double tau)
{
    const double x0 = sigma * sigma;
    const double x1 = 0.7071067811865476 / sqrt(tau * tau + x0);
    return erfc(x1 * (mu - nu + x0) - x1 * log(p / q)) * exp(mu + 0.5 * x0) / 2.0;
}

static double loss1_part1(double p, double q, double mu, double nu, double sigma, double tau)
{
    const double x0 = tau * tau;
    const double x1 = 1.0 / sqrt(sigma * sigma + x0);
    return erfc(-0.7071067811865476 * x1 * (mu - nu - x0) + 0.7071067811865476 * x1 * log(p / q)) * exp(nu + 0.5 * x0) / 2.0;
}

/* Return the loss of a probability of class 1 if the class is 0. */
double loss0(double p, double mu, double nu, double sigma, double tau)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (!(mu > 0.0 && mu < INFINITY)) return NAN;
    if (!(nu > 0.0 && nu < INFINITY)) return NAN;
    if (!(sigma > 0.0 && sigma < INFINITY)) return NAN;
    if (!(tau > 0.0 && tau < INFINITY)) return NAN;
    if (p == 0.0) return 0.0;
    if (p == 1.0) return exp(mu + 0.5 * (sigma * sigma));
    return loss0_part1(p, q, mu, nu, sigma, tau);
}

/* Return the loss of a probability of class 1 if the class is 1. */
double loss1(double p, double mu, double nu, double sigma, double tau)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (!(mu > 0.0 && mu < INFINITY)) return NAN;
    if (!(nu > 0.0 && nu < INFINITY)) return NAN;
    if (!(sigma > 0.0 && sigma < INFINITY)) return NAN;
    if (!(tau > 0.0 && tau < INFINITY)) return NAN;
    if (p == 0.0) return exp(nu + 0.5 * (tau * tau));
    if (p == 1.0) return 0.0;
    return loss1_part1(p, q, mu, nu, sigma, tau);
}

/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p, double mu, double nu, double sigma, double tau)
{
    return y == 1 ? loss1(p, mu, nu, sigma, tau) : y == 0 ? loss0(p, mu, nu, sigma, tau) : NAN;
}
