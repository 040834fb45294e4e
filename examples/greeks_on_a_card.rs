//! What are options on a path worth, and how does that change with the market, on a graphics card?
//!
//! An Asian option pays by the mean price over its life: each element is one path of the price, which is simulated step by step.
//! Without a card, the same kernels run on the processor.

use std::sync::Arc;

use overdub::device::{Cuda, Emulator};
use overdub::prelude::*;
use overdub::spmd::{ByIndex, Device, DeviceError, Fixed, map};

/// What is known of the market.
#[derive(Clone, Copy, Debug, Dub)]
struct Market {
    spot: f64,
    rate: f64,
    volatility: f64,
}

/// The next number of a generator (SplitMix64), and a uniform number between 0 and 1 that it gives.
#[dub]
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut bits = *state;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// What an Asian call pays on the path with this number, discounted.
#[dub]
fn payoff(path: u64, market: Market, strike: f64) -> f64 {
    const DAYS: usize = 64;
    let step = 1.0 / DAYS as f64;
    let drift = (market.rate - 0.5 * market.volatility * market.volatility) * step;
    let mut state = path.wrapping_mul(0x2545_f491_4f6c_dd1d);
    let (mut price, mut total) = (market.spot, 0.0);
    for _ in 0..DAYS {
        // Normally distributed, by Box and Muller.
        let (radius, angle) = ((-2.0 * (1.0 - uniform(&mut state)).ln()).sqrt(), uniform(&mut state));
        let normal = radius * (2.0 * std::f64::consts::PI * angle).cos();
        price *= (drift + market.volatility * step.sqrt() * normal).exp();
        total += price;
    }
    let mean = total / DAYS as f64;
    if mean > strike { (-market.rate).exp() * (mean - strike) } else { 0.0 }
}

/// The first card, or the processor.
fn device() -> Result<Arc<dyn Device>, DeviceError> {
    match Cuda::new() {
        Ok(card) => {
            eprintln!("on {}", card.name());
            Ok(Arc::new(card))
        }
        Err(error) => {
            eprintln!("on the processor: {error}");
            Ok(Arc::new(Emulator::new()?))
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = device()?;
    let market = Market { spot: 100.0, rate: 0.03, volatility: 0.2 };
    let paths = 20_000;
    for strike in [90.0, 100.0, 110.0] {
        let payoffs = map(payoff).threads(0).on(device.clone()).with_respect_to(["market"]);
        let inputs = (ByIndex(paths, |path| path as u64), Fixed(market), Fixed(strike));
        let (worth, (_, risk, _)) = payoffs.over(inputs).sum_and_gradient()?;
        let mean = |sum: f64| sum / paths as f64;
        print!("strike {strike:5.1}: worth {:7.4}, delta {:.4}, ", mean(worth), mean(risk.spot));
        println!("rho {:.3}, vega {:.3}", mean(risk.rate), mean(risk.volatility));
    }
    Ok(())
}
