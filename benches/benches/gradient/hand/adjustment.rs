//! The Jacobian of the bundle adjustment.

type Vector = [f64; 3];

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The rotation of a point, and the values that its reverse sweep needs.
struct Turn {
    x: Vector,
    axis: Vector,
    angle: f64,
    sin: f64,
    cos: f64,
    across: Vector,
    along: f64,
}

impl Turn {
    fn new(r: Vector, x: Vector) -> (Vector, Turn) {
        let squared = dot(r, r);
        if squared == 0.0 {
            let across = cross(r, x);
            let turn = Turn { x, axis: r, angle: 0.0, sin: 0.0, cos: 1.0, across, along: 0.0 };
            return ([0, 1, 2].map(|i| x[i] + across[i]), turn);
        }
        let angle = squared.sqrt();
        let (sin, cos) = angle.sin_cos();
        let axis = r.map(|r| r / angle);
        let (across, along) = (cross(axis, x), dot(axis, x));
        let turned = [0, 1, 2].map(|i| x[i] * cos + across[i] * sin + axis[i] * along * (1.0 - cos));
        (turned, Turn { x, axis, angle, sin, cos, across, along })
    }

    /// The cotangents of the rotation and of the point.
    fn pullback(&self, du: Vector) -> (Vector, Vector) {
        let from = cross(du, self.axis);
        let to = cross(self.x, du);
        if self.angle == 0.0 {
            return (to, [0, 1, 2].map(|i| du[i] + from[i]));
        }
        let (rest, ahead) = (1.0 - self.cos, dot(self.axis, du));
        let dx = [0, 1, 2].map(|i| du[i] * self.cos + from[i] * self.sin + self.axis[i] * rest * ahead);
        let daxis = [0, 1, 2].map(|i| to[i] * self.sin + rest * (du[i] * self.along + self.x[i] * ahead));
        let dangle = self.sin * (self.along * ahead - dot(self.x, du)) + self.cos * dot(self.across, du)
            - dot(daxis, self.axis) / self.angle;
        ([0, 1, 2].map(|i| daxis[i] / self.angle + dangle * self.axis[i]), dx)
    }
}

/// The residuals of all observations and the rows of their Jacobians: for each observation and each of its
/// two coordinates the derivatives with respect to the camera, the point and the weight.
pub(crate) fn jacobian(
    cameras: &[f64],
    points: &[f64],
    weights: &[f64],
    seen: &[f64],
    rows: &mut [[f64; 15]],
) -> (f64, f64) {
    let (mut first, mut second) = (0.0, 0.0);
    for (i, weight) in weights.iter().enumerate() {
        let (camera, point) = (&cameras[11 * i..11 * i + 11], &points[3 * i..3 * i + 3]);
        let x = [0, 1, 2].map(|k| point[k] - camera[3 + k]);
        let ([u, v, w], turn) = Turn::new([camera[0], camera[1], camera[2]], x);
        let (p, q) = (u / w, v / w);
        let square = p * p + q * q;
        let bent = 1.0 + camera[9] * square + camera[10] * square * square;
        let slope = camera[9] + 2.0 * camera[10] * square;
        let focus = camera[6];
        for (k, along) in [p, q].into_iter().enumerate() {
            let offset = along * bent * focus + camera[7 + k] - seen[2 * i + k];
            let dbent = weight * focus * along;
            let dsquare = dbent * slope;
            let mut d = [2.0 * p * dsquare, 2.0 * q * dsquare];
            d[k] += weight * focus * bent;
            let (dr, dx) = turn.pullback([d[0] / w, d[1] / w, -(p * d[0] + q * d[1]) / w]);
            let row = &mut rows[2 * i + k];
            *row = [0.0; 15];
            row[..3].copy_from_slice(&dr);
            row[3..6].copy_from_slice(&dx.map(|dx| -dx));
            row[6] = weight * along * bent;
            row[7 + k] = *weight;
            row[9] = dbent * square;
            row[10] = dbent * square * square;
            row[11..14].copy_from_slice(&dx);
            row[14] = offset;
            *(if k == 0 { &mut first } else { &mut second }) += weight * offset;
        }
    }
    (first, second)
}
