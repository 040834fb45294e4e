//! The gradient of the network of one hidden layer.

/// The layers' widths, from the pictures to the classes.
#[derive(Clone, Copy)]
pub(crate) struct Widths {
    pub(crate) pixels: usize,
    pub(crate) hidden: usize,
    pub(crate) classes: usize,
}

/// The activations of the layers, kept between calls.
pub(crate) struct Work {
    hidden: Vec<f64>,
    dhidden: Vec<f64>,
    scores: Vec<f64>,
}

impl Work {
    pub(crate) fn new(widths: Widths, batch: usize) -> Work {
        let zeros = |n: usize| vec![0.0; n * batch];
        Work { hidden: zeros(widths.hidden), dhidden: zeros(widths.hidden), scores: zeros(widths.classes) }
    }
}

/// `c += a · b`, matrices of `inner` columns and rows.
fn multiply(a: &[f64], b: &[f64], c: &mut [f64], inner: usize, columns: usize) {
    for (row, out) in a.chunks_exact(inner).zip(c.chunks_exact_mut(columns)) {
        for (scale, row) in row.iter().zip(b.chunks_exact(columns)) {
            out.iter_mut().zip(row).for_each(|(out, x)| *out += scale * x);
        }
    }
}

/// The mean cross entropy; the scores are replaced by their cotangents.
fn entropy(scores: &mut [f64], labels: &[usize], classes: usize) -> f64 {
    let scale = 1.0 / labels.len() as f64;
    let mut total = 0.0;
    for (scores, label) in scores.chunks_exact_mut(classes).zip(labels) {
        let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let label_score = scores[*label];
        scores.iter_mut().for_each(|score| *score = (*score - largest).exp());
        let sum: f64 = scores.iter().sum();
        total += sum.ln() + largest - label_score;
        scores.iter_mut().for_each(|score| *score *= scale / sum);
        scores[*label] -= scale;
    }
    total * scale
}

fn forward(w1: &[f64], b1: &[f64], w2: &[f64], b2: &[f64], x: &[f64], widths: Widths, work: &mut Work) {
    work.hidden.chunks_exact_mut(widths.hidden).for_each(|row| row.copy_from_slice(b1));
    multiply(x, w1, &mut work.hidden, widths.pixels, widths.hidden);
    work.hidden.iter_mut().for_each(|h| *h = h.tanh());
    work.scores.chunks_exact_mut(widths.classes).for_each(|row| row.copy_from_slice(b2));
    multiply(&work.hidden, w2, &mut work.scores, widths.hidden, widths.classes);
}

/// The loss.
pub(crate) fn loss(
    (w1, b1, w2, b2): (&[f64], &[f64], &[f64], &[f64]),
    x: &[f64],
    labels: &[usize],
    widths: Widths,
    work: &mut Work,
) -> f64 {
    forward(w1, b1, w2, b2, x, widths, work);
    entropy(&mut work.scores, labels, widths.classes)
}

/// The loss, and the gradients of weights and biases.
pub(crate) fn gradient(
    (w1, b1, w2, b2): (&[f64], &[f64], &[f64], &[f64]),
    x: &[f64],
    labels: &[usize],
    widths: Widths,
    work: &mut Work,
    (dw1, db1, dw2, db2): (&mut [f64], &mut [f64], &mut [f64], &mut [f64]),
) -> f64 {
    let Widths { pixels, hidden, classes } = widths;
    forward(w1, b1, w2, b2, x, widths, work);
    let total = entropy(&mut work.scores, labels, classes);
    for gradient in [&mut *dw1, &mut *db1, &mut *dw2, &mut *db2] {
        gradient.fill(0.0);
    }
    let rows = work.hidden.chunks_exact(hidden).zip(work.scores.chunks_exact(classes));
    for ((h, ds), dh) in rows.zip(work.dhidden.chunks_exact_mut(hidden)) {
        db2.iter_mut().zip(ds).for_each(|(db, ds)| *db += ds);
        let weights = w2.chunks_exact(classes).zip(dw2.chunks_exact_mut(classes));
        for ((h, dh), (w, dw)) in h.iter().zip(&mut *dh).zip(weights) {
            let sum: f64 = w.iter().zip(ds).map(|(w, ds)| w * ds).sum();
            dw.iter_mut().zip(ds).for_each(|(dw, ds)| *dw += h * ds);
            *dh = sum * (1.0 - h * h);
        }
        db1.iter_mut().zip(&*dh).for_each(|(db, dh)| *db += dh);
    }
    for (x, dh) in x.chunks_exact(pixels).zip(work.dhidden.chunks_exact(hidden)) {
        for (x, dw) in x.iter().zip(dw1.chunks_exact_mut(hidden)) {
            dw.iter_mut().zip(dh).for_each(|(dw, dh)| *dw += x * dh);
        }
    }
    total
}
