// SPDX-License-Identifier: MIT
// Geometric stiffness: added inertia of light bodies between joints that pull hard.
//
// A link of a taut chain swings about its middle at w^2 = T l / I, however slowly the chain moves,
// and no step longer than 2 / w can follow it: chains of light links under a heavy load whip, and
// tear. The stiffness arises from the rotation of the joints' directions, which a solver that holds
// them fixed for a step cannot see. Tournier, Nesme, Gilles and Faure ("Stable Constrained
// Dynamics", 2015) add it to the masses, as an implicit step would; Andrews, Teichmann and Kry
// ("Geometric Stiffness for Real-time Constrained Multibody Dynamics", 2017) found its diagonal to
// be enough. Here a body gets no more than the step needs to be stable, and only where it needs
// any; its weight is unchanged. Only directly solved mechanisms take part: the others yield long
// before.
#ifndef RIGID_ENGINE_MECHANISMS_GEOMETRIC_STIFFNESS_H
#define RIGID_ENGINE_MECHANISMS_GEOMETRIC_STIFFNESS_H

#include <vector>

#include "engine/data/bodies.h"
#include "engine/data/kernels.h"
#include "engine/joints/joints.h"
#include "engine/mechanisms/mechanisms.h"

namespace rigid {

struct GeometricStiffnessData {
  bool stiffened_ = false;  // the solver's masses differ from the bodies' own
};

class GeometricStiffness : GeometricStiffnessData {
 public:
  GeometricStiffness(const Clock& clock, const StepParameters& parameters, Bodies& bodies,
                     Joints& joints, const Mechanisms& mechanisms, ConstraintLanes& lanes,
                     const GeometricStiffness* from)
      : GeometricStiffnessData(from ? GeometricStiffnessData(*from) : GeometricStiffnessData{}),
        clock_(clock),
        parameters_(parameters),
        bodies_(bodies),
        joints_(joints),
        mechanisms_(mechanisms),
        lanes_(lanes) {}
  GeometricStiffness(const GeometricStiffness&) = delete;
  void assign(const GeometricStiffness& other) { GeometricStiffnessData::operator=(other); }

  // Sets the solver's masses by the forces of the step just solved, for the next step. Returns
  // whether a body needed far more than it had, so that this step must be repeated.
  bool stiffen();

  // Whether some bodies have added inertia.
  bool stiffened() const { return stiffened_; }

  template <class Archive>
  void list(Archive& a) {
    put(a, stiffened_);
  }

 private:
  struct Stiffness {
    double linear, angular;  // force per length, torque per radian
  };
  void stiffen_by(const Joint& joint);
  void stiffen_by_rope(const Joint& joint, bool on_b);

  const Clock& clock_;
  const StepParameters& parameters_;
  Bodies& bodies_;
  Joints& joints_;
  const Mechanisms& mechanisms_;
  ConstraintLanes& lanes_;
  std::vector<Stiffness> stiffness_;  // of bodies between taut joints
};

}  // namespace rigid

#endif
