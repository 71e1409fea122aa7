import type { SecondFactorKey } from '#shared/contract/auth.ts';
import './second-factor.css';

/** The key that an authenticator app needs, in groups that can be typed, and as a link for an app on this device. */
export function FactorSetup({ setup }: { setup: SecondFactorKey }) {
  return (
    <div className="rs-factor-setup">
      <p>
        Add this key to an authenticator app, as a time-based one. On a device that has such an app,{' '}
        <a href={setup.Uri}>open the key in the app</a>. Then enter the code that the app shows.
      </p>
      <p className="rs-factor-key" aria-label="Key for the app">
        {setup.Key.replaceAll(/(.{4})(?=.)/g, '$1 ')}
      </p>
    </div>
  );
}
