import type { FastifyInstance } from 'fastify';

/**
 * A module of a feature. It starts in two phases, so that modules can use each other in both directions: routes may use
 * the parts of all modules, while `create` may use only parts that exist already.
 */
interface Module<Needs, Provided extends object, RouteNeeds> {
  /** Creates the parts that other modules, the routes and background work use. */
  create?: (parts: Needs) => Provided;
  /** Registers the routes, once all modules have created their parts. */
  register?: (http: FastifyInstance, parts: RouteNeeds) => void;
}

export interface ModuleList<Core, Parts, RouteNeeds> {
  /** Adds a module. It does not compile if the core and the modules before it lack a part that it needs. */
  add<Provided extends object, Needs>(
    module: Module<Parts, Provided, Needs>,
  ): ModuleList<Core, Parts & Provided, RouteNeeds & Needs>;
  /** Returns the core, and the parts of all modules. */
  create(core: Core): Parts;
  register(http: FastifyInstance, parts: RouteNeeds): void;
}

/** Creates an empty list, whose first modules need nothing but the core. */
export function listModules<Core extends object>(): ModuleList<Core, Core, unknown> {
  return listOf<Core, Core, unknown>(
    (core) => core,
    () => {},
  );
}

function listOf<Core, Parts extends object, RouteNeeds>(
  create: (core: Core) => Parts,
  register: (http: FastifyInstance, parts: RouteNeeds) => void,
): ModuleList<Core, Parts, RouteNeeds> {
  return {
    create,
    register,
    add: <Provided extends object, Needs>(module: Module<Parts, Provided, Needs>) =>
      listOf<Core, Parts & Provided, RouteNeeds & Needs>(
        (core) => addParts(create(core), module.create),
        (http, parts) => {
          register(http, parts);
          module.register?.(http, parts);
        },
      ),
  };
}

function addParts<Parts extends object, Provided extends object>(
  parts: Parts,
  create: ((parts: Parts) => Provided) | undefined,
): Parts & Provided {
  const provided = create?.(parts);
  const twice = Object.keys(provided ?? {}).filter((name) => name in parts);
  if (twice.length > 0) throw new Error(`two modules create ${twice.join(', ')}`);
  return { ...parts, ...provided } as Parts & Provided;
}
