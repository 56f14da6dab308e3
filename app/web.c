#include "config.h"

#include "app/web.h"

void rip_app_web_add(pappl_system_t *system, pappl_printer_t *printer)
{
	(void)system, (void)printer;
}
