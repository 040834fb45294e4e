//! The gradient of the recurrent network.

/// The values that a cell's reverse sweep needs: its inputs (previous, below, state), gates, and tanh of the
/// new state.
#[derive(Clone, Copy, Default)]
struct Cell {
    hidden: f64,
    input: f64,
    cell: f64,
    forget: f64,
    ingate: f64,
    outgate: f64,
    change: f64,
    bent: f64,
}

/// The tape, kept between calls.
#[derive(Default)]
pub(crate) struct Work {
    cells: Vec<Cell>,
    last: Vec<f64>,
    shares: Vec<f64>,
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The loss; its gradient with respect to the parameters is written to `grad`.
pub(crate) fn lstm(
    params: &[f64],
    state: &[f64],
    sequence: &[f64],
    (layers, b): (usize, usize),
    work: &mut Work,
    grad: &mut [f64],
) -> f64 {
    let rows = sequence.len() / b;
    let (gates, ends) = params.split_at(8 * b * layers);
    work.cells.clear();
    work.last.clear();
    work.shares.clear();
    let part = |i: usize, from: usize| state[2 * b * i + from..2 * b * i + from + b].iter().copied();
    let mut hidden: Vec<f64> = (0..layers).flat_map(|i| part(i, 0)).collect();
    let mut cells: Vec<f64> = (0..layers).flat_map(|i| part(i, b)).collect();
    let mut input = vec![0.0; b];
    let mut total = 0.0;
    for t in 0..rows - 1 {
        let (now, goal) = (&sequence[t * b..(t + 1) * b], &sequence[(t + 1) * b..(t + 2) * b]);
        for j in 0..b {
            input[j] = ends[j] * now[j];
        }
        for i in 0..layers {
            let layer_gates = &gates[8 * b * i..8 * b * (i + 1)];
            for j in 0..b {
                let (h, x, cell) = (hidden[i * b + j], input[j], cells[i * b + j]);
                let at =
                    |gate: usize, v: f64| v * layer_gates[gate * b + j] + layer_gates[(4 + gate) * b + j];
                let (forget, ingate) = (sigmoid(at(0, x)), sigmoid(at(1, h)));
                let (outgate, change) = (sigmoid(at(2, x)), at(3, h).tanh());
                let new = cell * forget + ingate * change;
                let bent = new.tanh();
                work.cells.push(Cell { hidden: h, input: x, cell, forget, ingate, outgate, change, bent });
                cells[i * b + j] = new;
                hidden[i * b + j] = outgate * bent;
                input[j] = outgate * bent;
            }
        }
        let mut sum = 2.0;
        for j in 0..b {
            work.last.push(input[j]);
            input[j] = input[j] * ends[b + j] + ends[2 * b + j];
            let share = input[j].exp();
            work.shares.push(share);
            sum += share;
        }
        let log = sum.ln();
        let weight: f64 = goal.iter().sum();
        for j in 0..b {
            total += (input[j] - log) * goal[j];
        }
        for share in &mut work.shares[t * b..] {
            *share *= weight / sum;
        }
    }
    let scale = -1.0 / ((rows - 1) * b) as f64;
    reverse(params, sequence, (layers, b), scale, work, grad);
    total * scale
}

fn reverse(
    params: &[f64],
    sequence: &[f64],
    (layers, b): (usize, usize),
    scale: f64,
    work: &Work,
    grad: &mut [f64],
) {
    let rows = sequence.len() / b;
    grad.fill(0.0);
    let (gates, ends) = params.split_at(8 * b * layers);
    let (dgates, dends) = grad.split_at_mut(8 * b * layers);
    let (mut dhidden, mut dcells) = (vec![0.0; layers * b], vec![0.0; layers * b]);
    let mut dinput = vec![0.0; b];
    for t in (0..rows - 1).rev() {
        for j in 0..b {
            let dout = scale * (sequence[(t + 1) * b + j] - work.shares[t * b + j]);
            dends[b + j] += dout * work.last[t * b + j];
            dends[2 * b + j] += dout;
            dinput[j] = dout * ends[b + j];
        }
        for i in (0..layers).rev() {
            let layer_gates = &gates[8 * b * i..8 * b * (i + 1)];
            let down = &mut dgates[8 * b * i..8 * b * (i + 1)];
            for j in 0..b {
                let at = &work.cells[(t * layers + i) * b + j];
                let dh = dhidden[i * b + j] + dinput[j];
                let dcell = dcells[i * b + j] + dh * at.outgate * (1.0 - at.bent * at.bent);
                let slope = |gate: f64| gate * (1.0 - gate);
                let dforget = dcell * at.cell * slope(at.forget);
                let dingate = dcell * at.change * slope(at.ingate);
                let doutgate = dh * at.bent * slope(at.outgate);
                let dchange = dcell * at.ingate * (1.0 - at.change * at.change);
                let all =
                    [(dforget, at.input), (dingate, at.hidden), (doutgate, at.input), (dchange, at.hidden)];
                for (gate, (d, v)) in all.into_iter().enumerate() {
                    down[gate * b + j] += d * v;
                    down[(4 + gate) * b + j] += d;
                }
                dcells[i * b + j] = dcell * at.forget;
                dhidden[i * b + j] = dingate * layer_gates[b + j] + dchange * layer_gates[3 * b + j];
                dinput[j] = dforget * layer_gates[j] + doutgate * layer_gates[2 * b + j];
            }
        }
        for j in 0..b {
            dends[j] += dinput[j] * sequence[t * b + j];
        }
    }
}
