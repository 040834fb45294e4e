//! `overdub_context` as programs see it: linear algebra, its functions made of the operations.

pub mod linalg {
    use ndarray::{Array1, Array2, ArrayBase, Data, Ix1, Ix2, NdFloat};

    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum LinalgError {
        NotSquare(usize, usize),
        Rows(usize, usize),
        Singular,
        NotPositiveDefinite,
    }

    impl std::fmt::Display for LinalgError {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            match self {
                LinalgError::NotSquare(m, n) => write!(f, "a matrix of shape [{m}, {n}] is not square"),
                LinalgError::Rows(m, n) => write!(f, "{m} rows cannot be solved for {n}"),
                LinalgError::Singular => write!(f, "the matrix is singular, or holds what is no number"),
                LinalgError::NotPositiveDefinite => write!(f, "the matrix is not positive definite"),
            }
        }
    }

    impl std::error::Error for LinalgError {}

    pub trait Real: NdFloat {
        fn is_nan(self) -> bool;
    }

    impl Real for f32 {
        fn is_nan(self) -> bool { self.is_nan() }
    }

    impl Real for f64 {
        fn is_nan(self) -> bool { self.is_nan() }
    }

    pub mod ops {
        use ndarray::{Array1, Array2};

        #[op("nd.inv")]
        pub fn inv<A>(a: &Array2<A>) -> Array2<A>;
        #[op("nd.solve")]
        pub fn solve<A>(a: &Array2<A>, b: &Array1<A>) -> Array1<A>;
        #[op("nd.solve")]
        pub fn solve_all<A>(a: &Array2<A>, b: &Array2<A>) -> Array2<A>;
        #[op("nd.det")]
        pub fn det<A>(a: &Array2<A>) -> A;
        #[op("nd.ln_det")]
        pub fn ln_det<A>(a: &Array2<A>) -> A;
        #[op("nd.cholesky")]
        pub fn cholesky<A>(a: &Array2<A>) -> Array2<A>;
        #[op("nd.elems")]
        pub fn elems<A>(a: &Array2<A>) -> Vec<A>;
        #[op("nd.from_elems")]
        pub fn matrix<A>(elems: Vec<A>, shape: Vec<usize>) -> Array2<A>;
        #[op("id")]
        pub fn vector<A>(elems: Vec<A>) -> Array1<A>;
        #[op("id")]
        pub fn elems_of_vector<A>(a: &Array1<A>) -> Vec<A>;
        #[op("nd.shape")]
        pub fn shape<A>(a: &Array2<A>) -> Vec<usize>;
        #[op("nd.dot")]
        pub fn dot<A>(a: &Array2<A>, b: &Array2<A>) -> Array2<A>;
        #[op("nd.dot")]
        pub fn apply<A>(a: &Array2<A>, x: &Array1<A>) -> Array1<A>;
        #[op("nd.outer")]
        pub fn outer<A>(a: &Array1<A>, b: &Array1<A>) -> Array2<A>;
        #[op("nd.transpose")]
        pub fn transpose<A>(a: &Array2<A>) -> Array2<A>;
        #[op("mul")]
        pub fn scale<A>(a: &Array2<A>, x: A) -> Array2<A>;
        #[op("mul")]
        pub fn times<A>(a: &Array2<A>, b: &Array2<A>) -> Array2<A>;
        #[op("nd.sum")]
        pub fn sum<A>(a: &Array2<A>) -> A;
        #[op("neg")]
        pub fn neg<A>(a: &Array2<A>) -> Array2<A>;
        #[op("sub")]
        pub fn sub<A>(a: &Array2<A>, b: &Array2<A>) -> Array2<A>;
        #[op("sub")]
        pub fn sub_vector<A>(a: &Array1<A>, b: &Array1<A>) -> Array1<A>;
    }

    fn square<A: Real, S: Data<Elem = A>>(a: &ArrayBase<S, Ix2>) -> Result<Array2<A>, LinalgError> {
        let (m, n) = a.dim();
        if m == n { Ok(a.to_owned()) } else { Err(LinalgError::NotSquare(m, n)) }
    }

    fn exists<'x, A: Real + 'x>(first: Option<&'x A>, error: LinalgError) -> Result<(), LinalgError> {
        match first {
            Some(x) if x.is_nan() => Err(error),
            _ => Ok(()),
        }
    }

    pub fn inv<A: Real, S: Data<Elem = A>>(a: &ArrayBase<S, Ix2>) -> Result<Array2<A>, LinalgError> {
        let found = ops::inv(&square(a)?);
        exists(found.first(), LinalgError::Singular)?;
        Ok(found)
    }

    pub fn solve<A: Real, S: Data<Elem = A>, S2: Data<Elem = A>>(
        a: &ArrayBase<S, Ix2>,
        b: &ArrayBase<S2, Ix1>,
    ) -> Result<Array1<A>, LinalgError> {
        let a = square(a)?;
        if a.nrows() != b.len() {
            return Err(LinalgError::Rows(a.nrows(), b.len()));
        }
        let found = ops::solve(&a, &b.to_owned());
        exists(found.first(), LinalgError::Singular)?;
        Ok(found)
    }

    pub fn solve_all<A: Real, S: Data<Elem = A>, S2: Data<Elem = A>>(
        a: &ArrayBase<S, Ix2>,
        b: &ArrayBase<S2, Ix2>,
    ) -> Result<Array2<A>, LinalgError> {
        let a = square(a)?;
        if a.nrows() != b.nrows() {
            return Err(LinalgError::Rows(a.nrows(), b.nrows()));
        }
        let found = ops::solve_all(&a, &b.to_owned());
        exists(found.first(), LinalgError::Singular)?;
        Ok(found)
    }

    pub fn det<A: Real, S: Data<Elem = A>>(a: &ArrayBase<S, Ix2>) -> Result<A, LinalgError> {
        Ok(ops::det(&square(a)?))
    }

    pub fn ln_det<A: Real, S: Data<Elem = A>>(a: &ArrayBase<S, Ix2>) -> Result<A, LinalgError> {
        Ok(ops::ln_det(&square(a)?))
    }

    pub fn cholesky<A: Real, S: Data<Elem = A>>(a: &ArrayBase<S, Ix2>) -> Result<Array2<A>, LinalgError> {
        let found = ops::cholesky(&square(a)?);
        exists(found.first(), LinalgError::NotPositiveDefinite)?;
        Ok(found)
    }
}
