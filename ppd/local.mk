# ppd: filled in below
