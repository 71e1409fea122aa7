import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/holiday-calendars.ts';
import type { HolidayCalendarsService } from './holiday-calendars-service.ts';

/** Enough for a file of the maximum length with line ends escaped as JSON. */
const FILE_BODY_BYTES = 4 * 1024 * 1024;

export function registerHolidayCalendarRoutes(app: FastifyInstance, calendars: HolidayCalendarsService): void {
  registerEndpoint(app, contract.holidayCalendars, () => calendars.list());
  registerEndpoint(app, contract.holidayCalendar, ({ params }) => calendars.get(params.id));
  registerEndpoint(app, contract.saveHolidayCalendar, ({ person, request, body }) =>
    calendars.save({ person, address: request.ip }, body),
  );
  registerEndpoint(app, contract.deleteHolidayCalendar, async ({ person, request, params }) => {
    await calendars.delete({ person, address: request.ip }, params.id);
    return null;
  });
  registerEndpoint(app, contract.readCalendarFile, ({ body }) => calendars.read(body.Text), {
    bodyLimit: FILE_BODY_BYTES,
  });
}
