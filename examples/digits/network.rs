//! A network of two layers over plain vectors, and its loss.

use overdub::prelude::*;

/// A linear map and an offset.
#[derive(Clone, Debug, PartialEq, Dub)]
pub(crate) struct Layer {
    weights: Vec<Vec<f64>>,
    offsets: Vec<f64>,
}

/// Two layers with `tanh` in between.
#[derive(Clone, Debug, PartialEq, Dub)]
pub(crate) struct Network {
    first: Layer,
    second: Layer,
}

#[dub]
impl Layer {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        let dot = |row: &Vec<f64>| row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>();
        self.weights.iter().map(dot).zip(&self.offsets).map(|(sum, offset)| sum + offset).collect()
    }
}

#[dub]
impl Network {
    /// A score for each digit.
    pub(crate) fn scores(&self, picture: &[f64]) -> Vec<f64> {
        let hidden: Vec<f64> = self.first.forward(picture).iter().map(|x| x.tanh()).collect();
        self.second.forward(&hidden)
    }
}

/// The mean cross entropy of pictures and their digits.
#[dub]
pub(crate) fn loss(network: &Network, pictures: &[Vec<f64>], digits: &[usize]) -> f64 {
    let mut total = 0.0;
    for (picture, digit) in pictures.iter().zip(digits) {
        let scores = network.scores(picture);
        total += scores.iter().map(|score| score.exp()).sum::<f64>().ln() - scores[*digit];
    }
    total / pictures.len() as f64
}

impl Layer {
    /// Small weights, the same each time.
    fn new(outputs: usize, inputs: usize) -> Layer {
        let weight = |i: usize, j: usize| (((i * 7919 + j * 104_729) % 1009) as f64 / 1009.0 - 0.5) * 0.5;
        let row = |i| (0..inputs).map(|j| weight(i, j)).collect();
        Layer { weights: (0..outputs).map(row).collect(), offsets: vec![0.0; outputs] }
    }

    fn descend(&mut self, slope: &Layer, rate: f64) {
        let weights = self.weights.iter_mut().flatten().zip(slope.weights.iter().flatten());
        let offsets = self.offsets.iter_mut().zip(&slope.offsets);
        weights.chain(offsets).for_each(|(w, d)| *w -= rate * d);
    }
}

impl Network {
    /// An untrained network.
    pub(crate) fn new(inputs: usize, hidden: usize) -> Network {
        Network { first: Layer::new(hidden, inputs), second: Layer::new(10, hidden) }
    }

    /// A gradient descent step.
    pub(crate) fn descend(&mut self, slope: &Network, rate: f64) {
        self.first.descend(&slope.first, rate);
        self.second.descend(&slope.second, rate);
    }

    /// The digit with the highest score.
    pub(crate) fn read(&self, picture: &[f64]) -> usize {
        let scores = self.scores(picture);
        (0..10).max_by(|a, b| scores[*a].total_cmp(&scores[*b])).unwrap_or_default()
    }
}
