# filter: filled in below
