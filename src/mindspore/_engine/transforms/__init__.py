"""Function transforms as users call them: grad, value_and_grad, vjp, jvp, jacobians, Taylor series, vmap."""
