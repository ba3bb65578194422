"""Closure: simulations, chosen by what is not covered yet, until every goal is met."""
