//! What are thousands of options worth, and how does that change with the market, on all cores?
//!
//! The price is written for one option; it is mapped over the portfolio, whose options share the market.

use overdub::prelude::*;
use overdub::spmd::{Fixed, map};

/// What all options have in common.
#[derive(Clone, Debug, Dub)]
struct Market {
    spot: f64,
    rate: f64,
    volatility: f64,
}

/// A European call.
#[derive(Clone, Debug, Dub)]
struct Call {
    strike: f64,
    years: f64,
}

/// The normal distribution function, by the approximation of Abramowitz and Stegun, 26.2.17.
#[dub]
fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.2316419 * x.abs());
    let series =
        t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    let tail = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt() * series;
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// The price of a call by Black and Scholes.
#[dub]
fn price(call: &Call, market: &Market) -> f64 {
    let spread = market.volatility * call.years.sqrt();
    let drift = (market.rate + 0.5 * market.volatility * market.volatility) * call.years;
    let d1 = ((market.spot / call.strike).ln() + drift) / spread;
    market.spot * normal(d1) - call.strike * (-market.rate * call.years).exp() * normal(d1 - spread)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let market = Market { spot: 100.0, rate: 0.03, volatility: 0.2 };
    let strikes = (0..2000).map(|k| 60.0 + f64::from(k % 80));
    let portfolio: Vec<Call> =
        strikes.zip(0..).map(|(strike, k)| Call { strike, years: 0.25 * f64::from(1 + k % 8) }).collect();

    let prices = map(price).threads(0).over((&portfolio, Fixed(&market)));
    for (call, (value, (dcall, dmarket))) in portfolio.iter().zip(prices.values_and_gradients()?).step_by(797)
    {
        print!("strike {:5.1}, {:4.2} years: worth {value:7.4}, ", call.strike, call.years);
        println!("delta {:.4}, vega {:7.4}, theta {:.4}", dmarket.spot, dmarket.volatility, -dcall.years);
    }

    // The market is shared, so its derivative is one for the whole portfolio.
    let by_market = map(price).threads(0).with_respect_to(["market"]).over((&portfolio, Fixed(&market)));
    let (worth, (_, risk)) = by_market.sum_and_gradient()?;
    println!("all {}: worth {worth:.2}", portfolio.len());
    println!("  delta {:.2}, rho {:.2}, vega {:.2}", risk.spot, risk.rate, risk.volatility);

    // The same to the bit on any number of threads.
    let alone = map(price).with_respect_to(["market"]).over((&portfolio, Fixed(&market)));
    assert_eq!(alone.sum_and_gradient()?.0.to_bits(), worth.to_bits());
    Ok(())
}
