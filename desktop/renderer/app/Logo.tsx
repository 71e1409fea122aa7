import { bridge } from '#renderer/api/bridge.ts';

interface LogoProps {
  size?: number;
  /** Of this installation, relative to the base path; '' for the program's own. */
  address: string;
}

/** The installation's logo, or the program's mark: a sheet that runs. That is drawn in place, so that it needs no request and no address. */
export function Logo({ size = 24, address }: LogoProps) {
  if (address !== '') return <img src={bridge.addressOf(address)} alt="" height={size} className="rs-logo" />;
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect x="2" y="2" width="28" height="28" rx="6" fill="#1c6e42" />
      <path d="M8 10h9M8 16h6M8 22h9" stroke="#d6f5e3" strokeWidth="2.5" strokeLinecap="round" />
      <path d="M19.5 10.5l6 5.5-6 5.5z" fill="#fff" />
    </svg>
  );
}
