// SPDX-License-Identifier: Apache-2.0
// Sums that likelihoods of counts are made of, in double, without the cancellation that differences of log Gamma
// functions bring where a count is far smaller than the number beside it. Not installed: part of no interface.
// (std::lgamma writes a global variable, so that no two threads may call it.)
#pragma once

namespace fedstein {

// log k!
double log_factorial(double count);

// Over k = 0 .. count-1, for size > 0. With psi = -log size, each is the derivative of the one before by psi.
double rise_log(double size, double count);    // sum of log(1 + k/size)
double rise_slope(double size, double count);  // sum of k / (size + k)
double rise_bend(double size, double count);   // sum of k size / (size + k)^2

// P(Y <= count), where log_p is the log probability of the count itself.
double poisson_cumulative(double count, double rate, double log_p);
// Of the negative binomial of variance rate + rate^2 / size.
double negative_binomial_cumulative(double count, double rate, double size, double log_p);

}  // namespace fedstein
