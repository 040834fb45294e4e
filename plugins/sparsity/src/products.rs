//! The products of a matrix with directions, one for each color, several of them in each sweep.
//!
//! - PRODUCT1 a compressed matrix has the products consecutively, those of columns first (Curtis, Powell and
//!   Reid, *On the Estimation of Sparse Jacobian Matrices*, 1974).
//! - PRODUCT2 all sweeps of a matrix have the same number of colors: the last ones may have directions of
//!   zeros.

use std::sync::{Mutex, PoisonError};

use overdub_ad::{CotangentSweep, CurvatureSweep, Strategy, TangentSweep};
use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

use crate::coloring::{Coloring, Groups};

/// The products of a function's derivatives from which a matrix is decompressed.
pub(crate) struct Products {
    sweep: Sweep,
    groups: Groups,
    /// The number of floats of a direction, and of a product.
    inputs: usize,
    outputs: usize,
    /// Buffers of earlier evaluations, for reuse.
    buffers: Mutex<Vec<SweepBuffers>>,
}

enum Sweep {
    /// Products with columns, by tangents.
    Tangents(TangentSweep),
    /// Products with rows, by cotangents.
    Cotangents(CotangentSweep),
    /// Products with rows and columns of a Hessian.
    Curvature(Box<CurvatureSweep>),
}

/// The directions of a sweep, which are zero between sweeps, and the products of all sweeps.
struct SweepBuffers {
    directions: Vec<f64>,
    products: Vec<f64>,
}

/// The derivative that is multiplied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Of {
    Jacobian,
    /// The Hessian of a function that returns a float, with its declared type.
    Hessian(Ty),
    /// The Hessian of a weighted sum of what a function returns.
    Lagrangian,
}

impl Products {
    /// The products of a function with respect to the arguments in `wrt`, for the colors of its `rows` by
    /// `cols` matrix.
    pub(crate) fn new(
        engine: &Engine,
        (func, of): (Symbol, Of),
        wrt: &dyn Fn(usize) -> bool,
        coloring: &Coloring,
        (rows, cols): (usize, usize),
    ) -> Result<Products, Failure> {
        let by_columns = coloring.kind().colors_columns();
        let groups = if by_columns { coloring.column_groups() } else { coloring.row_groups() };
        let colors = groups.len();
        let sweep = match of {
            Of::Hessian(ret) => {
                Sweep::Curvature(Box::new(CurvatureSweep::new(engine, func, ret, wrt, colors)?))
            }
            Of::Lagrangian => {
                Sweep::Curvature(Box::new(CurvatureSweep::weighted(engine, func, wrt, colors)?))
            }
            Of::Jacobian if by_columns => Sweep::Tangents(TangentSweep::new(engine, func, wrt, colors)),
            Of::Jacobian => Sweep::Cotangents(CotangentSweep::new(engine, func, wrt)),
        };
        let (inputs, outputs) = if by_columns { (cols, rows) } else { (rows, cols) };
        Ok(Products { sweep, groups, inputs, outputs, buffers: Mutex::default() })
    }

    /// The engine that computes them, if they are tangents or Hessian-vector products.
    pub(crate) fn strategy(&self) -> Option<&Strategy> {
        match &self.sweep {
            Sweep::Tangents(sweep) => Some(sweep.strategy()),
            Sweep::Curvature(sweep) => Some(sweep.strategy()),
            Sweep::Cotangents(_) => None,
        }
    }

    /// The number of colors in a sweep.
    pub(crate) fn width(&self) -> usize {
        match &self.sweep {
            Sweep::Tangents(sweep) => sweep.width(),
            Sweep::Curvature(sweep) => sweep.width(),
            Sweep::Cotangents(_) => 1,
        }
    }

    /// Computes the compressed matrix at an input (PRODUCT1), and passes it to `read`. A Lagrangian takes
    /// weights.
    pub(crate) fn evaluate<R>(
        &self,
        args: &[Value<'static>],
        weights: Option<&[f64]>,
        read: impl FnOnce(&[f64]) -> R,
    ) -> Result<R, Failure> {
        let mut buffers = self.take_buffers();
        let result = match &self.sweep {
            Sweep::Cotangents(sweep) => self.rows(sweep, args, &mut buffers),
            _ => self.columns(args, weights, &mut buffers),
        };
        let read = result.map(|()| read(&buffers.products[..self.groups.len() * self.outputs]));
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner).push(buffers);
        read
    }

    fn take_buffers(&self) -> SweepBuffers {
        let idle = self.buffers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| {
            let (colors, width) = (self.groups.len(), self.width());
            let at_once = if let Sweep::Cotangents(_) = self.sweep { colors } else { width };
            SweepBuffers {
                directions: vec![0.0; at_once * self.inputs],
                products: vec![0.0; colors.next_multiple_of(width.max(1)) * self.outputs],
            }
        })
    }

    fn columns(
        &self,
        args: &[Value<'static>],
        weights: Option<&[f64]>,
        buffers: &mut SweepBuffers,
    ) -> Result<(), Failure> {
        let width = self.width();
        let SweepBuffers { directions, products } = buffers;
        let mut places = products.chunks_mut((width * self.outputs).max(1)).enumerate();
        places.try_for_each(|(number, products)| self.sweep((args, weights), number, directions, products))
    }

    /// Computes the products of the colors of one sweep. The directions are zero before and after.
    fn sweep(
        &self,
        (args, weights): (&[Value<'static>], Option<&[f64]>),
        number: usize,
        directions: &mut [f64],
        products: &mut [f64],
    ) -> Result<(), Failure> {
        let width = self.width();
        self.point(number * width, width, 1.0, directions);
        let result = match &self.sweep {
            Sweep::Tangents(sweep) => sweep.along(args, directions, products),
            Sweep::Curvature(sweep) => match weights {
                None => sweep.along(args, directions, products),
                Some(weights) => sweep.along_weighted(args, weights, directions, products),
            },
            Sweep::Cotangents(_) => Ok(()),
        };
        self.point(number * width, width, 0.0, directions);
        result
    }

    /// As [`Products::evaluate`], with the sweeps divided among the threads of the current pool.
    #[cfg(feature = "rayon")]
    pub(crate) fn evaluate_in_parallel<R>(
        &self,
        args: &[Value<'static>],
        weights: Option<&[f64]>,
        read: impl FnOnce(&[f64]) -> R,
    ) -> Result<R, Failure> {
        use rayon::prelude::*;

        let mut buffers = self.take_buffers();
        let SweepBuffers { directions, products } = &mut buffers;
        let result = if let Sweep::Cotangents(sweep) = &self.sweep {
            // A thread takes several rows: their cotangents may share one forward sweep.
            let rows = self.groups.len().div_ceil(rayon::current_num_threads()).max(1);
            self.point(0, self.groups.len(), 1.0, directions);
            directions
                .par_chunks((rows * self.inputs).max(1))
                .zip(products.par_chunks_mut((rows * self.outputs).max(1)))
                .try_for_each(|(directions, products)| sweep.along(args, directions, products))
        } else {
            let places = products.par_chunks_mut((self.width() * self.outputs).max(1)).enumerate();
            let directions = || vec![0.0; self.width() * self.inputs];
            places.try_for_each_init(directions, |directions, (number, products)| {
                self.sweep((args, weights), number, directions, products)
            })
        };
        let read = result.map(|()| read(&buffers.products[..self.groups.len() * self.outputs]));
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner).push(buffers);
        read
    }

    fn rows(
        &self,
        sweep: &CotangentSweep,
        args: &[Value<'static>],
        buffers: &mut SweepBuffers,
    ) -> Result<(), Failure> {
        self.point(0, self.groups.len(), 1.0, &mut buffers.directions);
        sweep.along(args, &buffers.directions, &mut buffers.products)
    }

    /// Sets the components of these colors' directions to `x` at their members.
    fn point(&self, first: usize, width: usize, x: f64, directions: &mut [f64]) {
        let groups = (first..self.groups.len()).take(width);
        for (color, direction) in groups.zip(directions.chunks_mut(self.inputs.max(1))) {
            self.groups.get(color).iter().for_each(|member| direction[*member as usize] = x);
        }
    }
}
