# daemon: filled in below
