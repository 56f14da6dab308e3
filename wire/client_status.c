/* The question for the daemon's status. */
#include "client.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

/* The GPUs of a daemon that answers; otherwise none. */
static void ask_devices(struct rip_connection *connection, struct rip_status_reply *reply)
{
	struct rip_message message = { .type = RIP_DEVICES };
	rip_reason reason;

	reply->devices.count = 0;
	if (rip_exchange_say(connection, &message, reason) != 0 ||
	    rip_exchange_await(connection, &message, reason) != 0 ||
	    message.type != RIP_DEVICES_REPLY)
		return;
	reply->devices = message.devices;
}

/* Whether a message that cannot be read is a status of another version, which may have another
 * layout behind its first field. */
static bool is_later_status(const struct rip_connection *connection, uint32_t *version)
{
	if (connection->in_used < RIP_MESSAGE_HEADER + sizeof *version ||
	    rip_message_type(connection->in) != RIP_STATUS_REPLY)
		return false;
	memcpy(version, connection->in + RIP_MESSAGE_HEADER, sizeof *version);
	*version = le32toh(*version);
	return *version != RIP_PROTOCOL_VERSION;
}

int rip_client_status(const char *path, struct rip_status_reply *reply, rip_reason reason)
{
	struct rip_message message = { .type = RIP_STATUS };
	struct rip_connection connection;
	uint32_t version;
	int r = rip_exchange_connect(&connection, path, reason);

	if (r != 0)
		return r;
	r = rip_exchange_say(&connection, &message, reason);
	if (r == 0)
		r = rip_exchange_await(&connection, &message, reason);
	if (r == -EPROTO && is_later_status(&connection, &version)) {
		r = rip_exchange_other_version(reason, version);
	} else if (r == 0 && message.type == RIP_STATUS_REPLY &&
		   message.status.version != RIP_PROTOCOL_VERSION) {
		r = rip_exchange_other_version(reason, message.status.version);
	} else if (r == 0 && message.type == RIP_STATUS_REPLY) {
		*reply = message.status;
		ask_devices(&connection, reply);
	} else if (r == 0) {
		r = rip_exchange_refusal(&message, reason);
	}
	rip_connection_finish(&connection);
	return r;
}
