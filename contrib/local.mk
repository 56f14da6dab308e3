# contrib: filled in below
