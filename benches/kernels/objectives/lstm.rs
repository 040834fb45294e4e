//! The recurrent network of ADBench: the error of its prediction of a sequence.

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The loss of `layers` layers of `b` cells over a sequence of rows of `b` numbers; `params` holds the gates'
/// weights and biases by layer, then the weights of the input, the weights and the biases of the output.
pub fn lstm(params: &[f64], state: &[f64], sequence: &[f64], layers: usize, b: usize) -> f64 {
    let rows = sequence.len() / b;
    let (gates, ends) = params.split_at(8 * b * layers);
    let mut hidden = vec![0.0; layers * b];
    let mut cells = vec![0.0; layers * b];
    for i in 0..layers {
        for j in 0..b {
            hidden[i * b + j] = state[2 * b * i + j];
            cells[i * b + j] = state[2 * b * i + b + j];
        }
    }
    let mut input = vec![0.0; b];
    let mut total = 0.0;
    for t in 0..rows - 1 {
        for j in 0..b {
            input[j] = ends[j] * sequence[t * b + j];
        }
        for i in 0..layers {
            let (weight, bias) = (8 * b * i, 8 * b * i + 4 * b);
            for j in 0..b {
                let (h, x) = (hidden[i * b + j], input[j]);
                let forget = sigmoid(x * gates[weight + j] + gates[bias + j]);
                let ingate = sigmoid(h * gates[weight + b + j] + gates[bias + b + j]);
                let outgate = sigmoid(x * gates[weight + 2 * b + j] + gates[bias + 2 * b + j]);
                let change = (h * gates[weight + 3 * b + j] + gates[bias + 3 * b + j]).tanh();
                let cell = cells[i * b + j] * forget + ingate * change;
                cells[i * b + j] = cell;
                hidden[i * b + j] = outgate * cell.tanh();
                input[j] = hidden[i * b + j];
            }
        }
        let mut sum = 0.0;
        for j in 0..b {
            input[j] = input[j] * ends[b + j] + ends[2 * b + j];
            sum += input[j].exp();
        }
        let log = (sum + 2.0).ln();
        for j in 0..b {
            total += (input[j] - log) * sequence[(t + 1) * b + j];
        }
    }
    -total / ((rows - 1) * b) as f64
}
