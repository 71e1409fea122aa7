import type { Finding } from '#shared/contract/setup.ts';
import { live } from '#shared/contract/activities.ts';
import { publicAddress } from '#server/config/public-address.ts';
import { daysUntil, endsSoon, finding, reasonOf } from './finding.ts';
import { isDistrust, jsonOf, probe } from './probe.ts';
import type { SetupDeps } from './setup-deps.ts';

/** Calls the portal at its public address, as people do. */
export async function checkAddress({ config }: Pick<SetupDeps, 'config'>, signal: AbortSignal): Promise<Finding[]> {
  const address = publicAddress(config);
  if (address === null) return [finding('addressOff')];
  try {
    const { status, body, certificateEnd } = await probe(address + live.path.slice(1), signal);
    const isPortal = status === 200 && 'result' in jsonOf(body);
    const answer = isPortal ? finding('addressAnswers', { address }) : finding('addressIsOther', { address, status });
    if (certificateEnd === null) return [answer];
    const days = daysUntil(certificateEnd);
    const time = new Date(certificateEnd).toISOString();
    return [answer, finding(endsSoon(days) ? 'certificateEnds' : 'certificateValid', { time, days })];
  } catch (error) {
    if (signal.aborted) throw error;
    const values = { address, reason: reasonOf(error) };
    return [finding(isDistrust(error) ? 'certificateUntrusted' : 'addressUnreachable', values)];
  }
}
