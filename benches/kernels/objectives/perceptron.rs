//! A network with one hidden layer, and its classification loss: plain loops over slices.

/// `c[r][j] += a[r][i] * b[i][j]`
fn multiply(a: &[f64], b: &[f64], c: &mut [f64], inner: usize, columns: usize) {
    for row in 0..c.len() / columns {
        for i in 0..inner {
            let scale = a[row * inner + i];
            for j in 0..columns {
                c[row * columns + j] += scale * b[i * columns + j];
            }
        }
    }
}

/// `count` copies of a row.
fn repeated(row: &[f64], count: usize) -> Vec<f64> {
    let mut rows = Vec::with_capacity(row.len() * count);
    for _ in 0..count {
        rows.extend_from_slice(row);
    }
    rows
}

/// The mean cross entropy of a batch: `x` holds the pixels of the pictures, one picture after another, and
/// `labels` their classes.
pub fn perceptron(w1: &[f64], b1: &[f64], w2: &[f64], b2: &[f64], x: &[f64], labels: &[usize]) -> f64 {
    let batch = labels.len();
    let mut hidden = repeated(b1, batch);
    multiply(x, w1, &mut hidden, x.len() / batch, b1.len());
    for h in hidden.iter_mut() {
        *h = h.tanh();
    }
    let classes = b2.len();
    let mut scores = repeated(b2, batch);
    multiply(&hidden, w2, &mut scores, b1.len(), classes);
    let mut total = 0.0;
    for row in 0..batch {
        let mut largest = scores[row * classes];
        for class in 1..classes {
            largest = largest.max(scores[row * classes + class]);
        }
        let mut sum = 0.0;
        for class in 0..classes {
            sum += (scores[row * classes + class] - largest).exp();
        }
        total += sum.ln() + largest - scores[row * classes + labels[row]];
    }
    total / batch as f64
}
