/* `riptide preview`: what the eye will see of a page's dots on paper, and the ink that it takes. */
#ifndef RIP_PREVIEW_COMMAND_H
#define RIP_PREVIEW_COMMAND_H

/* Runs with argv[0] "preview", and returns the exit status. */
int rip_preview_command(int argc, char **argv);

#endif
