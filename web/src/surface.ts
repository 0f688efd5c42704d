// Materials of meshes and ground: three's own shading with a computed texture laid over the colour.

import * as THREE from "three";
import { TRIPLANAR, tileOf, type SurfaceKind } from "./textures";

const GRID = /* glsl */ `
{
  vec2 cell = vWorldPlace.xy / gridSize;
  vec2 width = max(fwidth(cell), vec2(1e-5));
  vec2 near = abs(fract(cell - 0.5) - 0.5) / width;
  float line = 1.0 - min(min(near.x, near.y), 1.0);
  line *= 1.0 - smoothstep(0.15, 0.6, max(width.x, width.y));
  diffuseColor.rgb = mix(diffuseColor.rgb, gridColor, gridStrength * line);
}
`;

// Ground is seen from above; a second, larger tile hides that the first repeats.
const GROUND = /* glsl */ `
{
  float fine = 2.0 * texture2D(tile, vWorldPlace.xy / tileSize).r - 1.0;
  float broad = 2.0 * texture2D(tile, (vWorldPlace.yx + 0.37) / (7.3 * tileSize)).r - 1.0;
  diffuseColor.rgb *= (1.0 + tileStrength * fine) * (1.0 + 0.35 * tileStrength * broad);
}
`;

export interface Grid {
  gridColor: { value: THREE.Color };
  gridSize: { value: number };
  gridStrength: { value: number };
}

export interface Wrapping {
  kind: SurfaceKind;
  /** Length that one tile covers, m. */
  tile: number;
  /** How much of the tile's contrast shows. */
  strength: number;
  /** Fixed to the world, as ground is, or to the body. */
  world: boolean;
  grid?: Grid;
}

/** Lays a computed texture over a material. */
export function wrap<M extends THREE.MeshStandardMaterial | THREE.MeshLambertMaterial>(material: M, wrapping: Wrapping): M {
  material.customProgramCacheKey = () => `wrapped-${wrapping.world}-${wrapping.grid !== undefined}`;
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, {
      tile: { value: tileOf(wrapping.kind) },
      tileSize: { value: wrapping.tile },
      tileStrength: { value: wrapping.strength },
      ...wrapping.grid,
    });
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vOwnPlace;\nvarying vec3 vOwnNormal;\nvarying vec3 vWorldPlace;")
      .replace(
        "#include <begin_vertex>",
        `#include <begin_vertex>
        vOwnPlace = position;
        vOwnNormal = normal;
        vWorldPlace = (modelMatrix * vec4(position, 1.0)).xyz;`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>
        varying vec3 vOwnPlace;
        varying vec3 vOwnNormal;
        varying vec3 vWorldPlace;
        uniform sampler2D tile;
        uniform float tileSize;
        uniform float tileStrength;
        uniform vec3 gridColor;
        uniform float gridSize;
        uniform float gridStrength;
        ${TRIPLANAR}`,
      )
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        ${wrapping.world ? GROUND : "diffuseColor.rgb *= tileFactor(tile, vOwnPlace / tileSize, vOwnNormal, tileStrength);"}
        ${wrapping.grid === undefined ? "" : GRID}`,
      );
  };
  return material;
}
